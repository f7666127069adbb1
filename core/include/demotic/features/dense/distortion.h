#pragma once

#include <algorithm>
#include <cstdlib>

#include "demotic/features/dense/step.h"

namespace demotic::features {

struct Distortion {
  static constexpr DenseFeature kFeature{
      "distortion", DenseFeature::kPhrase, 0.3,
      "-(distance in words from the end of the last phrase to the start of this one)"};
  static double value(const Jump& jump) noexcept {
    if (!jump.early) return -std::abs(jump.begin - jump.last_end);
    // Moore & Quirk (2007): charge a forward jump in advance for the way back that it implies.
    if (jump.begin == jump.first_open) return 0;
    if (jump.end < jump.last_end) return -2 * (jump.end - jump.begin);
    return -2 * (jump.end - std::max(jump.last_end, jump.first_open));
  }
};

}  // namespace demotic::features
