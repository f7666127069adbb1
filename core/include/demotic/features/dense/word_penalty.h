#pragma once

#include "demotic/features/dense/step.h"

namespace demotic::features {

struct WordPenalty {
  static constexpr DenseFeature kFeature{"word_penalty", DenseFeature::kBoth, -1.0,
                                         "-1 per target word"};
  static double value(const RuleStep& step) noexcept { return -step.target_words; }
};

}  // namespace demotic::features
