// RAMPION (Gimpel & Smith 2012): minimises the structured ramp loss on candidate lists by a
// concave-convex procedure. Each of `rounds` rounds fixes the hope of every list (highest score +
// scale * gain); then `passes` passes visit the lists in order, find the fear (highest score -
// scale * gain) and update
//
//   w += rate * (features(hope) - features(fear)) - rate * (regularization / lists) * (w - w0)
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "demotic/base/stop.h"
#include "demotic/learn/candidates.h"

namespace demotic::learn {

struct RampOptions {
  int32_t rounds = 10;
  int32_t passes = 5;
  double scale = 10;
  double rate = 1e-4;
  double regularization = 1;
};

// `gains` of all candidates, in [0, 1]. Returns the final weights, which may not be finite.
std::vector<double> learn_ramp(const CandidateLists& lists, std::span<const double> gains,
                               std::span<const double> weights, const RampOptions& options,
                               const StopFlag& stop);

}  // namespace demotic::learn
