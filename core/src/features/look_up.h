// Looks many keys up in a table of weights whose memory is asked for ahead, in two steps: where a
// key's tags are, and where its weight may be. So the keys' cache misses overlap; one after the
// other they would take a few hundred nanoseconds each.
#pragma once

#include <algorithm>
#include <array>
#include <span>
#include <type_traits>

#include "demotic/features/sparse_features.h"

namespace demotic::features {

// A Probe begins to look for a key when it is made from (table, key), goes on with `approach()`,
// and ends with `weight()`, which gives 0 for a key that is not there.
template <typename Probe, typename Table>
void look_up(const Table& table, std::span<const FeatureKey> keys, std::span<const uint32_t> ends,
             std::span<double> sums) noexcept {
  constexpr size_t kRing = 64, kStep = kRing / 2 - 2;
  static_assert(std::is_trivially_default_constructible_v<Probe>);  // nothing to clear each time
  std::array<Probe, kRing> probes;
  const size_t count = keys.size();
  size_t begun = 0, near = 0, done = 0;
  for (; begun < std::min(count, 2 * kStep); ++begun) probes[begun] = Probe(table, keys[begun]);
  for (; near < std::min(count, kStep); ++near) probes[near].approach();
  for (size_t group = 0; group < ends.size(); ++group) {
    double sum = 0;
    for (; done < ends[group]; ++done) {
      if (begun < count) probes[begun % kRing] = Probe(table, keys[begun]), ++begun;
      if (near < count) probes[near++ % kRing].approach();
      sum += static_cast<double>(probes[done % kRing].weight());
    }
    sums[group] = sum;
  }
}

}  // namespace demotic::features
