// The features of the operation sequence model (Durrani, Schmid & Fraser 2011, section 3.3). Their
// values depend on the whole derivation, so search computes them (search/operation_scorer.h); here
// they are only declared.
#pragma once

#include "demotic/features/dense/step.h"

namespace demotic::features {

struct OperationSequence {
  static constexpr DenseFeature kFeature{
      .name = "operation_sequence",
      .kinds = DenseFeature::kPhrase,
      .weight = 0.1,
      .description = "natural log of the probability of the operations, end included",
      .optional = true};
};

struct OperationGaps {
  static constexpr DenseFeature kFeature{.name = "operation_gaps",
                                         .kinds = DenseFeature::kPhrase,
                                         .weight = 0,
                                         .description = "-1 per gap that is inserted",
                                         .optional = true};
};

struct OperationOpenGaps {
  static constexpr DenseFeature kFeature{
      .name = "operation_open_gaps",
      .kinds = DenseFeature::kPhrase,
      .weight = 0,
      .description = "-(number of open gaps), once per cept that is generated",
      .optional = true};
};

struct OperationGapWidth {
  static constexpr DenseFeature kFeature{
      .name = "operation_gap_width",
      .kinds = DenseFeature::kPhrase,
      .weight = 0,
      .description = "-(distance in words from the first open gap), once per cept",
      .optional = true};
};

struct OperationDeletions {
  static constexpr DenseFeature kFeature{.name = "operation_deletions",
                                         .kinds = DenseFeature::kPhrase,
                                         .weight = 0,
                                         .description = "-1 per source word without links",
                                         .optional = true};
};

}  // namespace demotic::features
