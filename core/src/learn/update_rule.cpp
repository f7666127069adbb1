#include "demotic/learn/update_rule.h"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace demotic::learn {
namespace {

int32_t most_violated(std::span<const BinPair> bins) {
  int32_t found = -1;
  for (size_t i = 0; i < bins.size(); ++i)
    if (bins[i].both() && (found < 0 || bins[i].violation() >= bins[found].violation()))
      found = static_cast<int32_t>(i);
  return found;
}

// After `window` consecutive bins without gold derivations, none can survive in a later bin,
// because no step skips that many (Yu et al. 2013, section 3.2). Returns the first bin with both,
// starting from the first of those. If the gold derivations survive to the end, returns the final
// bin.
int32_t first_lost(std::span<const BinPair> bins, int32_t window) {
  int32_t lost = 0;
  for (size_t i = 0; i < bins.size(); ++i) {
    lost = bins[i].holds_gold ? 0 : lost + 1;
    if (lost < window) continue;
    for (size_t k = i + 1 - window; k < bins.size(); ++k)
      if (bins[k].both()) return static_cast<int32_t>(k);
    return -1;
  }
  return bins.empty() || !bins.back().both() ? -1 : static_cast<int32_t>(bins.size()) - 1;
}

}  // namespace

ChosenBin choose_bin(UpdateRule rule, std::span<const BinPair> bins, int32_t window) {
  ChosenBin chosen;
  if (rule == UpdateRule::kMaxViolation)
    chosen.bin = most_violated(bins);
  else if (rule == UpdateRule::kEarly)
    chosen.bin = first_lost(bins, std::max(1, window));
  else if (!bins.empty() && bins.back().both())
    chosen.bin = static_cast<int32_t>(bins.size()) - 1;
  if (chosen.bin < 0) return chosen;
  chosen.violation = bins[chosen.bin].violation();
  chosen.valid = chosen.violation >= 0;
  chosen.updates = chosen.valid || rule == UpdateRule::kStandard;
  return chosen;
}

ChosenBin choose_bin(const CustomRule& rule, std::span<const BinPair> bins, int32_t window) {
  ChosenBin chosen;
  const int32_t bin = rule(bins, window);
  if (bin == -1) return chosen;
  if (bin < -1 || bin >= static_cast<int32_t>(bins.size()) || !bins[bin].both())
    throw std::invalid_argument("the update rule chose bin " + std::to_string(bin) + " of " +
                                std::to_string(bins.size()) +
                                "; expected a bin with both a gold and a bad derivation, or -1");
  chosen.bin = bin;
  chosen.violation = bins[bin].violation();
  chosen.valid = chosen.violation >= 0;
  chosen.updates = true;
  return chosen;
}

void count_difference(std::vector<FeatureKey>& gold, std::vector<FeatureKey>& bad,
                      std::vector<KeyDelta>& difference) {
  std::ranges::sort(gold);
  std::ranges::sort(bad);
  difference.clear();
  auto g = gold.begin(), b = bad.begin();
  while (g != gold.end() || b != bad.end()) {
    const bool from_gold = b == bad.end() || (g != gold.end() && *g <= *b);
    const FeatureKey key = from_gold ? *g : *b;
    int32_t count = 0;
    for (; g != gold.end() && *g == key; ++g) ++count;
    for (; b != bad.end() && *b == key; ++b) --count;
    if (count != 0) difference.push_back({key, static_cast<float>(count)});
  }
}

void take_values(const SparseFeatures& features, std::vector<KeyDelta>& difference) {
  if (!features.has_values()) return;
  for (KeyDelta& one : difference) {
    const auto [key, value] = features.feature_of(one.key);
    one = {key, static_cast<float>(value * double{one.delta})};
  }
  std::ranges::stable_sort(difference, {}, &KeyDelta::key);
  size_t kept = 0;
  for (size_t i = 0; i < difference.size();) {
    const FeatureKey key = difference[i].key;
    float sum = 0;
    for (; i < difference.size() && difference[i].key == key; ++i) sum += difference[i].delta;
    if (sum != 0) difference[kept++] = {key, sum};
  }
  difference.resize(kept);
}

}  // namespace demotic::learn
