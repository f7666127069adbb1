// Smoothed rule probabilities: discounts for rare rules (Foster, Kuhn & Johnson 2006; Chen et al.
// 2011).
//
// A rule that occurs k times with count c (c = k unless counts are shared or pooled) keeps
// c (1 - D_k / k). With n_k rules that occur k times:
//
//   modified Kneser-Ney  D_k = k - (k + 1) Y n_{k+1} / n_k for k = 1, 2, 3, and D_3 above that,
//                        Y = n_1 / (n_1 + 2 n_2). What a condition loses, sum of c D_k / k, is
//                        distributed over all outcomes in proportion to the number of different
//                        rules that an outcome is in.
//   Good-Turing          D_k = k - (k + 1) n_{k+1} / n_k for k < 5, 0 above that. What is lost is
//                        left to unseen events.
//
// Discounts outside of [0, k) for lack of data are replaced by the nearest usable value.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "demotic/rules/divided_extraction.h"
#include "demotic/rules/extract_rules.h"
#include "rule_counter.h"

namespace demotic::rules {

// What smoothing has to know about all rules with one source or target side.
struct SideCounts {
  static constexpr size_t kClasses = 4;  // rules that occur once, twice, ..., kClasses or more

  double total = 0;                      // sum of counts
  uint32_t rules = 0;                    // number of different rules
  std::array<float, kClasses> shares{};  // sum of c / k by class

  static size_t class_of(int32_t occurrences) noexcept {
    return static_cast<size_t>(std::min<int32_t>(occurrences, kClasses)) - 1;
  }
};

class RuleSmoothing {
 public:
  explicit RuleSmoothing(Smoothing method) : method_(method) {}

  bool used() const noexcept { return method_ != Smoothing::kNone; }
  // The counts of a side with these rules; without smoothing only their total.
  SideCounts counts(std::span<const CountedRule> rules) const noexcept;
  // First all rules are added, then discounts are computed.
  void add(std::span<const CountedRule> rules) noexcept;
  void finish() noexcept;

  // What `add` has counted, for another process.
  RuleTallies tallies() const noexcept;
  void add(const RuleTallies& tallies) noexcept;

  // The probability of the rule given the side with counts `given`; its other side is in
  // `other_rules` different rules.
  double probability(const CountedRule& rule, const SideCounts& given,
                     uint32_t other_rules) const noexcept;

 private:
  static constexpr size_t kCounted = SideCounts::kClasses + 1;

  double discount(size_t index) const noexcept;

  Smoothing method_;
  int64_t rules_ = 0;
  std::array<int64_t, kCounted> occurring_{};             // n_1, n_2, ...
  std::array<double, SideCounts::kClasses> discounts_{};  // D_1, D_2, ...; last: all from there on
};

}  // namespace demotic::rules
