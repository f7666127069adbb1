// Looks up many keys in a table of weights with two stages of prefetching: first the tags of a key,
// then the entry that may hold its weight. Cache misses overlap; sequentially, each would cost a
// few hundred nanoseconds.
#pragma once

#include <algorithm>
#include <array>
#include <span>
#include <type_traits>

#include "demotic/features/sparse_features.h"

namespace demotic::features {

// A Probe is constructed from (table, key), which prefetches the tags; `prefetch_entry()`
// prefetches the entry; `weight()` returns the weight, 0 for a missing key.
template <typename Probe, typename Table>
void sum_weights(const Table& table, std::span<const FeatureKey> keys,
                 std::span<const uint32_t> ends, std::span<double> sums) noexcept {
  constexpr size_t kRing = 64, kStep = kRing / 2 - 2;
  // So that the array is not cleared on each call.
  static_assert(std::is_trivially_default_constructible_v<Probe>);
  std::array<Probe, kRing> probes;
  const size_t count = keys.size();
  size_t begun = 0, near = 0, done = 0;
  for (; begun < std::min(count, 2 * kStep); ++begun) probes[begun] = Probe(table, keys[begun]);
  for (; near < std::min(count, kStep); ++near) probes[near].prefetch_entry();
  for (size_t group = 0; group < ends.size(); ++group) {
    double sum = 0;
    for (; done < ends[group]; ++done) {
      if (begun < count) probes[begun % kRing] = Probe(table, keys[begun]), ++begun;
      if (near < count) probes[near++ % kRing].prefetch_entry();
      sum += static_cast<double>(probes[done % kRing].weight());
    }
    sums[group] = sum;
  }
}

}  // namespace demotic::features
