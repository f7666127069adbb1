// The number of words of a rule on each side, and both together.
#pragma once

#include <algorithm>

#include "demotic/features/sparse_family.h"

namespace demotic::features {

class RuleLength final : public SparseFamily {
 public:
  uint64_t values() const noexcept override { return 2 * kLengths + kLengths * kLengths; }
  std::string name(uint64_t value) const override {
    if (value < kLengths) return "length.source=" + std::to_string(value);
    if (value < 2 * kLengths) return "length.target=" + std::to_string(value - kLengths);
    value -= 2 * kLengths;
    return "length=" + std::to_string(value / kLengths) + "-" + std::to_string(value % kLengths);
  }
  uint8_t groups() const noexcept override { return kRule; }

  void add_rule_values(const RuleSides& rule, std::vector<uint64_t>& values) const override {
    const uint64_t source = words(rule.source), target = words(rule.target);
    values.push_back(source);
    values.push_back(kLengths + target);
    values.push_back(2 * kLengths + source * kLengths + target);
  }

 private:
  static constexpr uint64_t kLengths = 16;  // the last stands for more

  static uint64_t words(std::span<const Symbol> side) noexcept {
    const auto count = std::ranges::count_if(side, [](Symbol symbol) { return !is_gap(symbol); });
    return std::min(static_cast<uint64_t>(count), kLengths - 1);
  }
};

}  // namespace demotic::features
