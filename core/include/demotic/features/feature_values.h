// Sparse features with values other than 1, such as those of functions in Python. A list of keys
// has no values; a key of such a feature stands for the feature and its value, until one of these
// functions looks it up (SparseFeatures::feature_of). Models without such features are not
// affected.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "demotic/features/sparse_features.h"

namespace demotic::features {

// Replaces the keys from `values.size()` on by those of their features, and appends their values.
// Does nothing if all values are 1, so that `values` stays empty. Throws as `feature_of` does.
void take_values(const SparseFeatures& features, std::span<FeatureKey> keys,
                 std::vector<double>& values);

// Features and weights for a search, which sums weights times values.
Sparse sparse_of(std::shared_ptr<const SparseFeatures> features,
                 std::shared_ptr<const SparseWeights> weights);

}  // namespace demotic::features
