#pragma once

#include "demotic/features/dense/step.h"

namespace demotic::features {

// Moses also counts copied words; models imported from Moses do the same.
struct PhrasePenalty {
  static constexpr DenseFeature kFeature{
      "phrase_penalty", DenseFeature::kBoth, 0.2,
      "1 per rule, without glue; copied words count if unknown_phrase_penalty is set"};
  static double value(const RuleStep& step) noexcept {
    if (is_glue(step.rule)) return 0;
    return is_copy(step.rule) ? step.copy_is_phrase : 1;
  }
};

}  // namespace demotic::features
