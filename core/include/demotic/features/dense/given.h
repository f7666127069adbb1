#pragma once

#include "demotic/features/dense/step.h"

namespace demotic::features {

// Optional: only a model that is asked for translations with probabilities has it.
struct Given {
  static constexpr DenseFeature kFeature{
      .name = "given",
      .kinds = DenseFeature::kBoth,
      .weight = 1.0,
      .description = "log probability of each translation given by the user",
      .optional = true};
  static double value(const RuleStep& step) noexcept { return step.given; }
};

}  // namespace demotic::features
