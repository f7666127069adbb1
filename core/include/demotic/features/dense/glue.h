#pragma once

#include "demotic/features/dense/step.h"

namespace demotic::features {

struct Glue {
  static constexpr DenseFeature kFeature{
      "glue", DenseFeature::kHiero, 1.0,
      "1 per use of S -> S X: number of glued constituents minus one"};
  static double value(const RuleStep& step) noexcept { return step.rule == kGlueNext; }
};

}  // namespace demotic::features
