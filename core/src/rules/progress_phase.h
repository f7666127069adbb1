// A phase of long work that accounts for a share of its progress.
#pragma once

#include <algorithm>
#include <cstdint>

#include "demotic/base/progress.h"

namespace demotic::rules {

class ProgressPhase {
 public:
  // A phase of `steps` steps that accounts for `share` of the total progress.
  ProgressPhase(Progress& progress, int64_t steps, int64_t share) noexcept
      : progress_(&progress), steps_(std::max<int64_t>(steps, 1)), share_(share) {}

  void step() noexcept {
    if (++done_ % kEvery == 0) report_done(std::min(done_, steps_));
  }
  void finish() noexcept { report_done(steps_); }

 private:
  static constexpr int64_t kEvery = 4096;  // steps between updates, so that they cost nothing

  void report_done(int64_t done) noexcept {
    const auto now = static_cast<int64_t>(static_cast<double>(share_) * static_cast<double>(done) /
                                          static_cast<double>(steps_));
    progress_->advance(now - reported_);
    reported_ = now;
  }

  Progress* progress_;
  int64_t steps_, share_;
  int64_t done_ = 0, reported_ = 0;
};

}  // namespace demotic::rules
