// Discounts of modified Kneser-Ney smoothing and the mass that contexts give to their words: shared
// by the estimation in memory and the one on disk, which must agree bit by bit.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "demotic/lm/estimate.h"

namespace demotic::lm {

struct Discounts {
  std::array<double, 4> of{};  // for adjusted counts 0, 1, 2 and 3 or more
  double operator()(uint64_t count) const noexcept { return of[std::min<uint64_t>(count, 3)]; }
};

// How many n-grams have the adjusted counts 1 to 4; [0] is not used.
struct CountsOfCounts {
  std::array<double, 5> n{};

  void add(uint64_t count) noexcept {
    if (count < n.size()) ++n[count];
  }
};

// Throws std::invalid_argument.
void check(const KneserNeyOptions& options);

// N-grams with at most this raw count are pruned.
int64_t threshold(const KneserNeyOptions& options, size_t order);

// Equation 26 of Chen & Goodman 1998, or the fallback if the discounts are not between 0 and the
// count; adds to `report`. Throws ModelError if the fallback is not allowed.
Discounts discounts_of(const CountsOfCounts& counts, int order, const KneserNeyOptions& options,
                       KneserNeyReport& report);

// Discounts may be zero, and then the backoff mass may be zero too.
inline float logarithm(float value) { return std::max(kNeverLog10, std::log10(value)); }

// Rounding may put the probability of a certain word slightly above 1.
inline float log_probability(float value) { return std::min(0.0f, logarithm(value)); }

// The mass that one context gives to its words, and the rest for backing off.
struct ContextSums {
  double denominator = 0, kept = 0;

  void add(uint64_t adjusted, bool pruned, const Discounts& discounts) {
    denominator += static_cast<double>(adjusted);
    kept += pruned ? static_cast<double>(adjusted) : discounts(adjusted);
  }
  double backoff() const { return kept / denominator; }
  double own(uint64_t adjusted, const Discounts& discounts) const {
    return (static_cast<double>(adjusted) - discounts(adjusted)) / denominator;
  }
};

// Probabilities (no logarithms) of all words by their adjusted counts.
template <typename Counts>
std::vector<float> unigram_probabilities(const Counts& adjusted, const Discounts& discounts) {
  ContextSums sums;
  for (const uint64_t count : adjusted) sums.add(count, false, discounts);
  const double uniform = sums.backoff() / static_cast<double>(adjusted.size() - 1);
  std::vector<float> result;
  for (const uint64_t count : adjusted)
    result.push_back(static_cast<float>(sums.own(count, discounts) + uniform));
  return result;
}

}  // namespace demotic::lm
