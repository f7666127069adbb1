#include "demotic/learn/feature_groups.h"

#include <bit>
#include <cmath>

#include "demotic/base/flat_map.h"

namespace demotic::learn {
namespace {

// Per feature, a hash of its parts and of its value in each; 0 without parts.
std::vector<uint64_t> hashes_of(const CsrView<int32_t>& part_features,
                                std::span<const double> values, int32_t features) {
  std::vector<uint64_t> hashes(features, 0);
  for (size_t part = 0; part < part_features.size(); ++part) {
    const uint64_t own = mix64(part + 1);
    for (int64_t k = part_features.offsets[part]; k < part_features.offsets[part + 1]; ++k)
      hashes[part_features.values[k]] +=
          values.empty() ? own : mix64(own ^ std::bit_cast<uint64_t>(values[k]));
  }
  return hashes;
}

void number_groups(std::span<const uint64_t> hashes, FeatureGroups& groups) {
  FlatMap<uint64_t, int32_t> known;
  for (const uint64_t hash : hashes) {
    if (hash == 0) {
      groups.group_of.push_back(-1);
      continue;
    }
    const auto [group, fresh] = known.insert(hash);
    if (fresh) {
      group = static_cast<int32_t>(groups.sizes.size());
      groups.sizes.push_back(0);
    }
    ++groups.sizes[group];
    groups.group_of.push_back(group);
  }
}

}  // namespace

FeatureGroups group_features(const CsrView<int32_t>& part_features, std::span<const double> values,
                             int32_t features) {
  FeatureGroups groups;
  number_groups(hashes_of(part_features, values, features), groups);
  std::vector<double> roots;
  for (const int32_t size : groups.sizes) roots.push_back(std::sqrt(size));
  std::vector<int64_t> last_part(groups.sizes.size(), -1);
  for (size_t part = 0; part < part_features.size(); ++part) {
    for (int64_t k = part_features.offsets[part]; k < part_features.offsets[part + 1]; ++k) {
      const int32_t group = groups.group_of[part_features.values[k]];
      if (last_part[group] == static_cast<int64_t>(part)) continue;
      last_part[group] = static_cast<int64_t>(part);
      groups.part_groups.values.push_back(group);
      groups.values.push_back(roots[group] * (values.empty() ? 1.0 : values[k]));
    }
    groups.part_groups.end_row();
  }
  return groups;
}

}  // namespace demotic::learn
