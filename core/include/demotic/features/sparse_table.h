// Sparse weights during training: a hash table from key to weight, with the sums that averaging
// needs.
//
// The perceptron's average over `steps` steps is w - u / steps, where u sums each update times the
// number of steps before it, so features that a step does not touch cost nothing.
//
// The table consists of shards of at most 262,144 features. Each shard has its own memory and grows
// by an eighth or splits in two on its own, so there are never two copies of the whole table: at
// most 28 bytes per feature from ten thousand features on. In a shard, 56 slots form a line whose
// one-byte tags fill one cache line. Each key has a home group of eight slots; if that is full, the
// key moves on to other groups, and a bit in the home cache line records that some keys have moved.
// A missing key therefore usually costs one cache miss, an existing one two.
//
// The result does not depend on the order of insertion: the same updates per key, in the same
// order, give the same file. Reading (and caching) is thread-safe, writing is not.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "demotic/base/stop.h"
#include "demotic/features/sparse_features.h"
#include "demotic/features/weight_cache.h"

namespace demotic::features {

class SparseTable final : public SparseWeights {
 public:
  // `layout` identifies the meaning of the keys, see TemplateFeatures::layout; stored in files.
  explicit SparseTable(uint64_t layout = 0);
  ~SparseTable() override;

  // Adds `delta` to a weight; `step` is the number of completed steps.
  void add(FeatureKey key, float delta, int64_t step);
  // The same for many keys in order, with prefetching.
  void add(std::span<const FeatureKey> keys, std::span<const float> deltas, int64_t step);

  void sums(std::span<const FeatureKey> keys, std::span<const uint32_t> ends,
            std::span<double> sums) const noexcept override;
  float weight(FeatureKey key) const noexcept override;
  WeightCache* cache() const noexcept override { return &cache_; }
  // The average of the weights after each of the first `steps` steps.
  float averaged(FeatureKey key, int64_t steps) const noexcept;

  struct Feature {
    FeatureKey key;
    float weight;
    double sum;  // the sum u above
    float averaged(int64_t steps) const noexcept {
      return static_cast<float>(weight - sum / static_cast<double>(steps));
    }
  };
  // Calls visit(const Feature&) in ascending order of mix64(key), which depends on the keys alone.
  template <typename Visit>
  void for_each(Visit&& visit) const {
    std::vector<Feature> features;
    for (size_t at = 0; at < directory_.size(); at = next_shard(at)) {
      list_shard(at, features);
      for (const Feature& feature : features) visit(feature);
    }
  }

  size_t size() const noexcept { return size_; }  // features that were ever updated
  size_t size_bytes() const noexcept;
  uint64_t layout() const noexcept { return layout_; }

  void save(const std::string& path) const;
  // Throws as Container does, and FormatError if the arrays are inconsistent.
  static std::unique_ptr<SparseTable> load(const std::string& path, const StopFlag& stop);

 private:
  struct Lookup;
  struct Shard;
  struct Position {
    Shard* shard;
    uint32_t slot;
  };

  Shard& shard_of(uint64_t hash) const noexcept {
    return *directory_[static_cast<size_t>(hash >> 1 >> (63 - depth_))];
  }
  Position insert(FeatureKey key);
  void prefetch_tags(FeatureKey key) const noexcept;
  void prefetch_slot(FeatureKey key) const noexcept;
  void make_room(uint64_t hash);
  void split(size_t at);
  size_t next_shard(size_t at) const noexcept;
  void list_shard(size_t at, std::vector<Feature>& features) const;

  uint64_t layout_;
  int depth_ = 0;  // number of hash bits that select a shard
  size_t size_ = 0;
  mutable WeightCache cache_;
  std::vector<std::shared_ptr<Shard>> directory_;  // a shard may occupy several consecutive entries
};

}  // namespace demotic::features
