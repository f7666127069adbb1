// The shape of a rule: the sequence of gaps and runs of words on both sides (Eidelman, Marton &
// Resnik 2013, section 4.2).
#pragma once

#include "demotic/features/sparse_family.h"

namespace demotic::features {

class RuleShape final : public SparseFamily {
 public:
  uint64_t values() const noexcept override { return 3 << (2 * kRuns + 1); }
  // Such as `rule.shape=w [1] w [2] ||| [2] w [1]`, where w is one or more words.
  std::string name(uint64_t value) const override {
    const uint64_t gaps = value >> (2 * kRuns + 1);
    const bool swapped = (value >> (2 * kRuns) & 1) != 0;
    return "rule.shape=" + side(value >> kRuns & kMask, gaps, false) + "||| " +
           side(value & kMask, gaps, swapped);
  }
  uint8_t groups() const noexcept override { return kRule; }

  void add_rule_values(const RuleSides& rule, std::vector<uint64_t>& values) const override {
    uint64_t gaps = 0, swapped = 0;
    for (const Symbol symbol : rule.source) gaps += is_gap(symbol);
    for (const Symbol symbol : rule.target) {
      if (!is_gap(symbol)) continue;
      swapped = gap_index(symbol) != 0;  // whether the first gap is not the first of the source
      break;
    }
    values.push_back(gaps << (2 * kRuns + 1) | swapped << (2 * kRuns) | runs(rule.source) << kRuns |
                     runs(rule.target));
  }

 private:
  static constexpr uint64_t kRuns = kMaxGaps + 1;  // before, between and after the gaps
  static constexpr uint64_t kMask = (1 << kRuns) - 1;

  // Bit k: whether there are words after the k-th gap.
  static uint64_t runs(std::span<const Symbol> side) noexcept {
    uint64_t seen = 0, gaps = 0;
    for (const Symbol symbol : side) {
      if (is_gap(symbol))
        ++gaps;
      else
        seen |= uint64_t{1} << gaps;
    }
    return seen;
  }
  static std::string side(uint64_t runs, uint64_t gaps, bool swapped) {
    std::string text;
    for (uint64_t k = 0; k <= gaps; ++k) {
      if (k > 0) text.append("[").append(std::to_string(swapped ? gaps + 1 - k : k)).append("] ");
      if (runs >> k & 1) text += "w ";
    }
    return text;
  }
};

}  // namespace demotic::features
