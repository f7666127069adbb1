// The best rules of a source side, whatever the sentence is, and what several threads know of them
// while the weights stay the same: frequent phrases stand in the sentences of all of them. Whoever
// needs a choice first works it out; two that do so at once come to the same one.
#pragma once

#include <algorithm>
#include <mutex>
#include <vector>

#include "demotic/base/flat_map.h"
#include "demotic/rules/rule_store.h"

namespace demotic::search {

struct RankedRule {
  float estimate, score;
  RuleId rule;
};

// Equal estimates keep the order of the rules, so the choice does not depend on the sort.
constexpr auto kBetterRule = [](const auto& a, const auto& b) {
  return a.estimate != b.estimate ? a.estimate > b.estimate : a.rule < b.rule;
};

// Leaves the best ones, best first; 0: all of them.
inline void keep_best_rules(std::vector<RankedRule>& rules, int32_t limit) {
  if (limit > 0 && rules.size() > static_cast<size_t>(limit)) {
    std::nth_element(rules.begin(), rules.begin() + limit, rules.end(), kBetterRule);
    rules.resize(limit);
  }
  std::sort(rules.begin(), rules.end(), kBetterRule);
}

// Thread-safe, but for `clear`, which is for whoever changes weights.
class SharedChoices {
 public:
  // Fewer rules are chosen from faster than found here.
  static constexpr size_t kFewest = 8;

  // Of the source side with this rule as its first. False if it is not here yet.
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
