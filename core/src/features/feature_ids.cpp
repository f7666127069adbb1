#include "demotic/features/feature_ids.h"

#include <algorithm>
#include <limits>
#include <stdexcept>

namespace demotic::features {

int32_t FeatureIds::add(FeatureKey key) {
  const auto [id, fresh] = ids_.insert(key);
  if (!fresh) return id;
  if (keys_.size() == static_cast<size_t>(std::numeric_limits<int32_t>::max()))
    throw std::length_error("more than 2^31 sparse features");
  id = static_cast<int32_t>(keys_.size());
  keys_.push_back(key);
  return id;
}

std::vector<int32_t> FeatureIds::add_rows(const CsrView<FeatureKey>& rows) {
  constexpr size_t kAhead = 8;  // cache misses overlap
  std::vector<int32_t> ids(rows.values.size());
  for (size_t i = 0; i < ids.size(); ++i) {
    if (i + kAhead < ids.size()) ids_.prefetch(rows.values[i + kAhead]);
    ids[i] = add(rows.values[i]);
  }
  for (size_t row = 0; row < rows.size(); ++row)
    std::sort(ids.begin() + rows.offsets[row], ids.begin() + rows.offsets[row + 1]);
  return ids;
}

}  // namespace demotic::features
