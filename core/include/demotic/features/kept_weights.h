// Copies of weights that are asked for again and again while they change, in one dense array. The
// place of a key's copy is looked up once; after that it costs a read of four bytes, which share
// their cache line with those of other keys, however large the table is that they come from. A key
// that weighs nothing yet has a copy, too. In bounded memory: what is met first stays, and that is
// what comes often.
//
// Many threads may read and `keep` at once; `set` wants to be alone.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "demotic/base/flat_map.h"
#include "demotic/features/sparse_features.h"

namespace demotic::features {

class KeptWeights {
 public:
  explicit KeptWeights(size_t most = size_t{1} << 21) : most_(most) {}

  // Where the copies of keys are; those of new keys are made from `weights`. False if there is no
  // room for all of them: then nothing is kept.
  bool keep(std::span<const FeatureKey> keys, const SparseWeights& weights,
            std::span<uint32_t> places);

  // Of a place that `keep` gave to this thread.
  float operator[](uint32_t place) const noexcept { return copies_[place]; }

  // The weight of a key is another one now.
  void set(FeatureKey key, float weight) noexcept {
    if (const uint32_t* place = places_.find(key)) copies_[*place] = weight;
  }
  // For a `set` some steps later.
  void prefetch(FeatureKey key) const noexcept { places_.prefetch(key); }

  size_t size() const noexcept { return places_.size(); }

 private:
  const size_t most_;
  std::mutex mutex_;  // of `keep`
  FlatMap<FeatureKey, uint32_t> places_;
  std::unique_ptr<float[]> copies_;  // most_ of them, which never move; few pages are touched

  // Scratch: the new keys of a call.
  std::vector<FeatureKey> fresh_;
  std::vector<uint32_t> ends_;
  std::vector<double> sums_;
};

}  // namespace demotic::features
