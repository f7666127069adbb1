#include "rule_smoothing.h"

#include <algorithm>
#include <cmath>

namespace demotic::rules {

SideCounts RuleSmoothing::counts(std::span<const CountedRule> rules) const noexcept {
  double total = 0;
  for (const CountedRule& rule : rules) total += rule.count;
  if (!used()) return {total, 0, {}};
  std::array<double, SideCounts::kClasses> shares{};
  for (const CountedRule& rule : rules)
    shares[SideCounts::class_of(rule.occurrences)] += double{rule.count} / rule.occurrences;
  SideCounts side{total, static_cast<uint32_t>(rules.size()), {}};
  std::ranges::transform(shares, side.shares.begin(), [](double s) { return float(s); });
  return side;
}

void RuleSmoothing::add(std::span<const CountedRule> rules) noexcept {
  if (!used()) return;
  rules_ += static_cast<int64_t>(rules.size());
  for (const CountedRule& rule : rules)
    if (rule.occurrences <= static_cast<int32_t>(kCounted)) ++occurring_[rule.occurrences - 1];
}

RuleTallies RuleSmoothing::tallies() const noexcept {
  static_assert(std::tuple_size_v<RuleTallies> == kCounted + 1);
  RuleTallies tallies{rules_};
  std::ranges::copy(occurring_, tallies.begin() + 1);
  return tallies;
}

void RuleSmoothing::add(const RuleTallies& tallies) noexcept {
  rules_ += tallies[0];
  for (size_t i = 0; i < kCounted; ++i) occurring_[i] += tallies[i + 1];
}

void RuleSmoothing::finish() noexcept {
  const bool kneser_ney = method_ == Smoothing::kKneserNey;
  for (size_t i = 0; i < discounts_.size(); ++i)
    discounts_[i] = kneser_ney && i >= 2 ? discount(2) : discount(i);
}

// D of rules that occur index + 1 times.
double RuleSmoothing::discount(size_t index) const noexcept {
  const auto k = static_cast<double>(index + 1);
  const auto n = [&](size_t i) { return static_cast<double>(occurring_[i]); };
  if (n(index) == 0) return 0;
  const double y = method_ == Smoothing::kKneserNey ? n(0) / std::max(n(0) + 2 * n(1), 1.0) : 1;
  // Below k by a tenth at least, so that no count becomes 0.
  return std::clamp(k - (k + 1) * y * n(index + 1) / n(index), 0.0, 0.9 * k);
}

double RuleSmoothing::probability(const CountedRule& rule, const SideCounts& given,
                                  uint32_t other_rules) const noexcept {
  const size_t index = SideCounts::class_of(rule.occurrences);
  const bool kneser_ney = method_ == Smoothing::kKneserNey;
  // The last class of Good-Turing is the exact number of occurrences or more, of which the latter
  // are not discounted.
  const bool discounted = kneser_ney || rule.occurrences <= static_cast<int32_t>(index + 1);
  const double kept = rule.count * (1 - (discounted ? discounts_[index] : 0) / rule.occurrences);
  if (!kneser_ney) return kept / given.total;
  double lost = 0;
  for (size_t i = 0; i < discounts_.size(); ++i) lost += discounts_[i] * given.shares[i];
  return (kept + lost * other_rules / static_cast<double>(rules_)) / given.total;
}

}  // namespace demotic::rules
