#pragma once

#include "demotic/features/dense/step.h"

namespace demotic::features {

struct PassThrough {
  static constexpr DenseFeature kFeature{"pass_through", DenseFeature::kHiero, 0.0,
                                         "1 per source word that is copied by X -> word"};
  static double value(const RuleStep& step) noexcept { return is_copy(step.rule); }
};

}  // namespace demotic::features
