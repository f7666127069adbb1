// The target sides of counted rules: where each was written, and its counts. Eight bytes per target
// side, and a row of counts if rule probabilities are smoothed.
#pragma once

#include <cstdint>
#include <vector>

#include "demotic/base/errors.h"
#include "demotic/base/portable.h"
#include "rule_smoothing.h"

namespace demotic::rules {

class CountedTargets {
 public:
  explicit CountedTargets(bool smoothed) : smoothed_(smoothed) {}

  // Returns its index. Totals are rounded as they are stored.
  uint32_t add(uint32_t place, const SideCounts& counts) {
    if (places_.size() == CountedRule::kRemoved)
      throw ModelError({.found = "too many target sides (limit 2^32-1)"});
    places_.push_back(place);
    totals_.push_back(static_cast<float>(counts.total));
    if (smoothed_) counts_.push_back(counts);
    return static_cast<uint32_t>(places_.size() - 1);
  }

  uint32_t place(uint32_t target) const noexcept { return places_[target]; }
  SideCounts counts(uint32_t target) const noexcept {
    SideCounts counts = smoothed_ ? counts_[target] : SideCounts{};
    counts.total = totals_[target];
    return counts;
  }
  void prefetch(uint32_t target) const noexcept {
    prefetch_line(&places_[target]);
    prefetch_line(&totals_[target]);
    if (smoothed_) prefetch_line(&counts_[target]);
  }

 private:
  bool smoothed_;
  std::vector<uint32_t> places_;
  std::vector<float> totals_;
  std::vector<SideCounts> counts_;
};

}  // namespace demotic::rules
