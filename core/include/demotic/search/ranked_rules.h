// The best rules of a source side, independent of the sentence, and a cache of them that several
// threads share while the weights stay the same: frequent phrases occur in the sentences of all
// threads. The first thread that needs a choice computes it; two that do so at once get the same
// result.
#pragma once

#include <algorithm>
#include <mutex>
#include <vector>

#include "demotic/base/flat_map.h"
#include "demotic/rules/rule_store.h"

namespace demotic::search {

struct RankedRule {
  float estimate, score;
  float dense;  // the estimate without sparse features
  RuleId rule;
};

// Ties keep the order of the rules, so the choice does not depend on the sorting algorithm.
constexpr auto kBetterRule = [](const auto& a, const auto& b) {
  return a.estimate != b.estimate ? a.estimate > b.estimate : a.rule < b.rule;
};

// Keeps the best `limit` rules, best first; 0 keeps all.
inline void keep_best_rules(std::vector<RankedRule>& rules, int32_t limit) {
  if (limit > 0 && rules.size() > static_cast<size_t>(limit)) {
    std::nth_element(rules.begin(), rules.begin() + limit, rules.end(), kBetterRule);
    rules.resize(limit);
  }
  std::sort(rules.begin(), rules.end(), kBetterRule);
}

// Thread-safe, except `clear`, which must be called when the weights change.
class SharedChoices {
 public:
  // Ranking fewer rules is faster than a look-up here.
  static constexpr size_t kMinRules = 8;

  // The choice for the source side whose first rule is `first`. Returns false if it is not cached.
  bool find(RuleId first, std::vector<RankedRule>& rules) const {
    const std::lock_guard lock(mutex_);
    const Place* place = places_.find(first);
    if (place) {
      const auto begin = rules_.begin() + static_cast<std::ptrdiff_t>(place->first);
      rules.assign(begin, begin + static_cast<std::ptrdiff_t>(place->count));
    }
    return place != nullptr;
  }
  void put(RuleId first, const std::vector<RankedRule>& rules) {
    const std::lock_guard lock(mutex_);
    const auto [place, fresh] = places_.insert(first);
    if (!fresh) return;
    place = {rules_.size(), rules.size()};
    rules_.insert(rules_.end(), rules.begin(), rules.end());
  }
  void clear() noexcept {
    places_.clear();
    rules_.clear();
  }

 private:
  struct Place {
    size_t first = 0, count = 0;
  };

  mutable std::mutex mutex_;
  FlatMap<RuleId, Place> places_;
  std::vector<RankedRule> rules_;
};

}  // namespace demotic::search
