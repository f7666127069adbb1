#pragma once

#include "demotic/features/dense/step.h"

namespace demotic::features {

// Chiang, Marton & Resnik 2008, section 4: the feature for all sizes and both orders.
struct StructuralDistortion {
  static constexpr DenseFeature kFeature{
      .name = "structural_distortion",
      .kinds = DenseFeature::kHiero,
      .weight = 0.1,
      .description = "log P(reordered or in order | size) per gap, by its source words",
      .optional = true};
  static double value(const FilledGap& gap) noexcept {
    return gap.reordering.log_probability(gap.reordered, gap.size);
  }
};

}  // namespace demotic::features
