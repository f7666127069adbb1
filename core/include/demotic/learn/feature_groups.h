// Groups of sparse features that occur in the same parts with the same values. Learners whose steps
// are sums of feature vectors move all features of a group alike, so a group of m features acts
// like one feature with their value times sqrt(m), whose weight is the sum of theirs divided by
// sqrt(m): scores, norms and inner products are the same. Most features of a tuning set are rare
// and share their parts with others, so there are far fewer groups than features.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "demotic/base/csr.h"
#include "demotic/namespaces.h"

namespace demotic::learn {

struct FeatureGroups {
  std::vector<int32_t> group_of;  // by feature; -1 for one that no part has
  std::vector<int32_t> sizes;     // by group, in the order of their first features
  // The groups of each part, and their values.
  Csr<int32_t> part_groups;
  std::vector<double> values;
};

// The features of each part are less than `features`, without repetitions; without values all are
// 1. Parts are compared by 64-bit hashes.
FeatureGroups group_features(const CsrView<int32_t>& part_features, std::span<const double> values,
                             int32_t features);

}  // namespace demotic::learn
