#pragma once

#include "demotic/features/dense/step.h"

namespace demotic::features {

// Moses counts copied words too; models imported from it do the same.
struct PhrasePenalty {
  static constexpr DenseFeature kFeature{
      "phrase_penalty", DenseFeature::kBoth, 0.2,
      "1 per rule; glue does not count, nor do copied words unless the model says so"};
  static double value(const RuleStep& step) noexcept {
    if (is_glue(step.rule)) return 0;
    return is_copy(step.rule) ? step.copy_is_phrase : 1;
  }
};

}  // namespace demotic::features
