// Numbers sparse features in the order of their first appearance, so that learners can keep their
// weights in arrays. Not thread-safe for writing.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "demotic/base/csr.h"
#include "demotic/base/flat_map.h"
#include "demotic/features/sparse_features.h"

namespace demotic::features {

class FeatureIds {
 public:
  // The id of a feature, which is new if it is the first time. Throws std::length_error beyond 2^31
  // features.
  int32_t add(FeatureKey key);
  // The ids of rows of features, ascending within each row; `values`, one per feature or none, are
  // sorted like them.
  std::vector<int32_t> add_rows(const CsrView<FeatureKey>& rows, std::span<double> values = {});

  // By id.
  std::span<const FeatureKey> keys() const noexcept { return keys_; }
  size_t size() const noexcept { return keys_.size(); }

 private:
  FlatMap<FeatureKey, int32_t> ids_;
  std::vector<FeatureKey> keys_;
};

}  // namespace demotic::features
