#include "demotic/features/feature_ids.h"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <tuple>
#include <utility>

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

std::vector<int32_t> FeatureIds::add_rows(const CsrView<FeatureKey>& rows,
                                          std::span<double> values) {
  constexpr size_t kAhead = 8;  // cache misses overlap
  std::vector<int32_t> ids(rows.values.size());
  for (size_t i = 0; i < ids.size(); ++i) {
    if (i + kAhead < ids.size()) ids_.prefetch(rows.values[i + kAhead]);
    ids[i] = add(rows.values[i]);
  }
  std::vector<std::pair<int32_t, double>> both;
  for (size_t row = 0; row < rows.size(); ++row) {
    const int64_t begin = rows.offsets[row], end = rows.offsets[row + 1];
    if (values.empty()) {
      std::sort(ids.begin() + begin, ids.begin() + end);
      continue;
    }
    both.clear();
    for (int64_t i = begin; i < end; ++i) both.emplace_back(ids[i], values[i]);
    std::ranges::sort(both);
    for (int64_t i = begin; i < end; ++i) std::tie(ids[i], values[i]) = both[i - begin];
  }
  return ids;
}

}  // namespace demotic::features
