// A cache of frequently used weights that change during training, in one dense array. The slot of a
// key is looked up once; afterwards reading the weight touches four bytes of a small array instead
// of a large table. Keys with weight 0 are cached too. Bounded in size: nothing is evicted, because
// frequent keys are met early.
//
// Thread-safe for reading and `add`; `set` needs exclusive access.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "demotic/base/flat_map.h"
#include "demotic/features/sparse_features.h"

namespace demotic::features {

class WeightCache {
 public:
  explicit WeightCache(size_t capacity = size_t{1} << 21) : capacity_(capacity) {}

  // Finds the slots of all keys, adding missing keys with their values in `weights`. Returns false
  // and changes nothing if there is not enough space.
  bool add(std::span<const FeatureKey> keys, const SparseWeights& weights,
           std::span<uint32_t> slots);

  // The weight in a slot that `add` returned to this thread.
  float operator[](uint32_t slot) const noexcept { return weights_[slot]; }

  // Updates the weight of a key if it is cached.
  void set(FeatureKey key, float weight) noexcept {
    if (const uint32_t* slot = slots_.find(key)) weights_[*slot] = weight;
  }
  // Prefetches for a later `set`.
  void prefetch(FeatureKey key) const noexcept { slots_.prefetch(key); }

  size_t size() const noexcept { return slots_.size(); }

 private:
  const size_t capacity_;
  std::mutex mutex_;  // guards `add`
  FlatMap<FeatureKey, uint32_t> slots_;
  // Capacity for all slots, never reallocated; untouched pages use no memory.
  std::unique_ptr<float[]> weights_;

  // Scratch of `add`.
  std::vector<FeatureKey> fresh_;
  std::vector<uint32_t> ends_;
  std::vector<double> sums_;
};

}  // namespace demotic::features
