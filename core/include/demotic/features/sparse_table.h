// Sparse weights that change: key to weight, and what averaging needs, for training.
//
// The perceptron's average over `steps` steps of weights that each held from their update on is
// w - u / steps, where u adds up each update times the number of steps before it: nothing has to be
// done for the features that a step does not touch.
//
// A hash table in shards of at most 262,144 features, each with its own memory, which grow by an
// eighth or split in two one at a time: at most 28 bytes a feature from ten thousand on, never two
// copies of the whole. In a shard 56 slots form a line, whose tags, a byte each, are one cache
// line. A key belongs to a group of eight slots; if they are taken it goes on to others, and a bit
// in the cache line remembers that some are away. So a key that is not there costs one cache line,
// one that is there two, as a rule.
//
// The order in which keys come does not matter: the same updates of each key, in the same order,
// give the same file. Not safe for writing; safe to read, and to keep copies of, from many threads.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "demotic/base/stop.h"
#include "demotic/features/kept_weights.h"
#include "demotic/features/sparse_features.h"

namespace demotic::features {

class SparseTable final : public SparseWeights {
 public:
  // `layout` says whose keys these are, see TemplateFeatures; it goes into files.
  explicit SparseTable(uint64_t layout = 0);
  ~SparseTable() override;

  // Adds to a weight at a step, the number of steps that were finished before.
  void add(FeatureKey key, float delta, int64_t step);
  // The same one after the other; the memory of many at once is asked for ahead.
  void add(std::span<const FeatureKey> keys, std::span<const float> deltas, int64_t step);

  void sums(std::span<const FeatureKey> keys, std::span<const uint32_t> ends,
            std::span<double> sums) const noexcept override;
  float weight(FeatureKey key) const noexcept override;
  KeptWeights* kept() const noexcept override { return &kept_; }
  // The average of the weights after each of so many steps.
  float averaged(FeatureKey key, int64_t steps) const noexcept;

  struct Feature {
    FeatureKey key;
    float weight;
    double sum;  // u above
    float averaged(int64_t steps) const noexcept {
      return static_cast<float>(weight - sum / static_cast<double>(steps));
    }
  };
  // Calls visit(const Feature&) by rising mix64(key): an order that depends on the keys alone.
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
  // Throws as Container does, and FormatError if the arrays contradict each other.
  static std::unique_ptr<SparseTable> load(const std::string& path, const StopFlag& stop);

 private:
  struct LookUp;
  struct Shard;
  struct Found {
    Shard* shard;
    uint32_t slot;
  };

  Shard& shard_of(uint64_t hash) const noexcept {
    return *directory_[static_cast<size_t>(hash >> 1 >> (63 - depth_))];
  }
  Found insert(FeatureKey key);
  void prefetch_tags(FeatureKey key) const noexcept;
  void prefetch_slot(FeatureKey key) const noexcept;
  void make_room(uint64_t hash);
  void split(size_t at);
  size_t next_shard(size_t at) const noexcept;
  void list_shard(size_t at, std::vector<Feature>& features) const;

  uint64_t layout_;
  int depth_ = 0;  // bits of the hash that choose a shard
  size_t size_ = 0;
  mutable KeptWeights kept_;
  std::vector<std::shared_ptr<Shard>> directory_;  // a shard may stand in several places in a row
};

}  // namespace demotic::features
