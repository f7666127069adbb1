#pragma once

#include "demotic/features/dense/step.h"

namespace demotic::features {

// The same penalty of 100 as in Moses and Joshua.
struct UnknownWord {
  static constexpr double kValue = -100;
  static constexpr DenseFeature kFeature{"unknown_word", DenseFeature::kBoth, 1.0,
                                         "-100 per source word that no rule translates"};
  static double value(const RuleStep& step) noexcept {
    return step.rule == kUnknownCopied ? kValue : 0;
  }
};

}  // namespace demotic::features
