#include "demotic/lm/discounts.h"

#include <optional>

#include "demotic/base/errors.h"

namespace demotic::lm {
namespace {

constexpr std::array<double, 3> kFallbackDiscounts = {0.5, 1.0, 1.5};

std::optional<Discounts> closed_form(const std::array<double, 5>& n) {
  if (n[1] == 0 || n[2] == 0 || n[3] == 0) return std::nullopt;
  Discounts result;
  const double y = n[1] / (n[1] + 2 * n[2]);
  for (int j = 1; j <= 3; ++j) {
    result.of[j] = j - (j + 1) * y * n[j + 1] / n[j];
    if (result.of[j] < 0 || result.of[j] > j) return std::nullopt;
  }
  return result;
}

}  // namespace

void check(const KneserNeyOptions& options) {
  if (options.order < 1 || options.order > kMaxLmOrder)
    throw std::invalid_argument("order must be 1 to " + std::to_string(kMaxLmOrder));
  const auto& prune = options.prune;
  if (prune.empty() || prune.front() != 0)
    throw std::invalid_argument("prune: the first threshold must be 0; unigrams are kept");
  if (prune.size() > static_cast<size_t>(options.order))
    throw std::invalid_argument("prune: more thresholds than orders");
  if (!std::is_sorted(prune.begin(), prune.end()))
    throw std::invalid_argument("prune: thresholds must not decrease from one order to the next");
}

int64_t threshold(const KneserNeyOptions& options, size_t order) {
  return options.prune[std::min(order, options.prune.size()) - 1];
}

Discounts discounts_of(const CountsOfCounts& counts, int order, const KneserNeyOptions& options,
                       KneserNeyReport& report) {
  auto result = closed_form(counts.n);
  if (!result) {
    if (!options.discount_fallback) {
      throw ModelError({.found = "too few " + std::to_string(order) +
                                 "-grams seen once, twice or three times to estimate discounts",
                        .expected = "natural text of more than a few hundred words",
                        .advice = "allow the fallback discounts 0.5, 1 and 1.5"});
    }
    report.fallback_orders.push_back(order);
    result = Discounts{{0, kFallbackDiscounts[0], kFallbackDiscounts[1], kFallbackDiscounts[2]}};
  }
  report.discounts.push_back({result->of[1], result->of[2], result->of[3]});
  return *result;
}

}  // namespace demotic::lm
