// A cache of the shared keys (SharedKeysView) of many source sides, as slots of a WeightCache. Keys
// do not depend on the weights, so a learner whose weights change every few sentences computes them
// once. Bounded in size: nothing is evicted, because frequent source sides are met early. Not
// thread-safe; use one instance per thread.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "demotic/base/flat_map.h"
#include "demotic/features/weight_cache.h"

namespace demotic::features {

class SharedKeyCache {
 public:
  // As SharedKeysView, with slots instead of keys.
  struct View {
    std::span<const uint32_t> slots, ends, groups;
    size_t parts = 0;
  };

  // The entry of the source side whose first rule is `first`; valid until the next call of `put`.
  std::optional<View> find(RuleId first) const noexcept;
  // There must be no entry yet. Does nothing if this cache or `cache` is full.
  void put(RuleId first, const SharedKeysView& shared, const SparseWeights& weights,
           WeightCache& cache);

  size_t size_bytes() const noexcept { return numbers_.size() * sizeof numbers_[0]; }

 private:
  static constexpr size_t kMaxBytes = size_t{64} << 20;
  struct Entry {
    uint32_t begin = 0, keys = 0, ends = 0, groups = 0, parts = 0;
  };

  FlatMap<RuleId, Entry> entries_;
  std::vector<uint32_t> numbers_;  // per entry: slots, ends, groups
};

}  // namespace demotic::features
