// Sums of rules that several threads need while the weights stay the same: frequent phrases stand
// in the sentences of all of them. Whoever needs one first works it out; two that do so at once
// come to the same numbers. Thread-safe, but for `clear`.
#pragma once

#include <algorithm>
#include <mutex>
#include <span>
#include <vector>

#include "demotic/base/flat_map.h"
#include "demotic/rules/rule_store.h"

namespace demotic {

class SharedSums {
 public:
  // Fewer rules are summed up faster than found here.
  static constexpr size_t kFewest = 8;

  // Of the source side with this rule as its first. False if they are not here yet.
  bool find(RuleId first, std::span<float> sums) const {
    const std::lock_guard lock(mutex_);
    const size_t* place = places_.find(first);
    if (place)
      std::copy_n(sums_.begin() + static_cast<std::ptrdiff_t>(*place), sums.size(), sums.begin());
    return place != nullptr;
  }
  void put(RuleId first, std::span<const float> sums) {
    const std::lock_guard lock(mutex_);
    const auto [place, fresh] = places_.insert(first);
    if (!fresh) return;
    place = sums_.size();
    sums_.insert(sums_.end(), sums.begin(), sums.end());
  }
  void clear() noexcept {
    places_.clear();
    sums_.clear();
  }

 private:
  mutable std::mutex mutex_;
  FlatMap<RuleId, size_t> places_;
  std::vector<float> sums_;
};

}  // namespace demotic
