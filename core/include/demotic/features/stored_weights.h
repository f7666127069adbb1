// Sparse weights of a finished model: a memory-mapped file with exact keys in less than 12 bytes
// per feature from ten thousand features on (10.3 at thirty million).
//
// Keys are mixed by a bijection and sorted. A bucket covers one interval of the 64-bit hashes,
// about 38 keys. It is one cache line with the low byte of each key, so six of seven look-ups of a
// missing key need no other memory. A bit-packed array holds the remaining bits of each key and its
// weight. The few keys beyond the 59 that fit into a bucket are stored separately.
//
// Immutable and thread-safe.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "demotic/base/container.h"
#include "demotic/base/portable.h"
#include "demotic/base/stop.h"
#include "demotic/features/sparse_features.h"
#include "demotic/features/sparse_table.h"

namespace demotic::features {

struct alignas(64) WeightBucket {
  static constexpr uint32_t kCapacity = 59;
  static constexpr uint8_t kSpilled = 0x80;
  uint32_t first;  // index of its first feature
  uint8_t size;    // plus kSpilled if some of its keys are stored separately
  uint8_t low[kCapacity];
};
static_assert(sizeof(WeightBucket) == 64);

struct SpilledWeight {
  uint64_t hash;
  float weight;
  uint32_t zero;
};
static_assert(sizeof(SpilledWeight) == 16);

// How hashes map to buckets and entries; determined by the number of features.
struct WeightPacking {
  uint64_t buckets = 1;
  uint32_t rest_bits = 56;  // bits per hash not implied by the bucket and the low byte

  static WeightPacking of(uint64_t features) noexcept;
  uint64_t bucket(uint64_t hash) const noexcept { return multiply_high(hash, buckets); }
  uint64_t first_hash(uint64_t bucket) const noexcept;
  uint64_t rest(uint64_t hash) const noexcept {
    return hash >> 8 & ((uint64_t{1} << rest_bits) - 1);
  }
  uint64_t entry_bits() const noexcept { return rest_bits + uint64_t{32}; }
};

class StoredSparseWeights final : public SparseWeights {
 public:
  // Throws as Container does, and FormatError if the arrays are inconsistent. Without `verify` the
  // file is trusted.
  static StoredSparseWeights open(const std::string& path, bool verify, const StopFlag& stop);

  void sums(std::span<const FeatureKey> keys, std::span<const uint32_t> ends,
            std::span<double> sums) const noexcept override;
  float weight(FeatureKey key) const noexcept override;

  uint64_t size() const noexcept { return size_; }
  size_t size_bytes() const noexcept { return bytes_; }
  uint64_t layout() const noexcept { return layout_; }

  // All features, sorted by key.
  struct Arrays {
    std::vector<FeatureKey> keys;
    std::vector<float> weights;
  };
  Arrays arrays() const;

 private:
  struct Lookup;
  StoredSparseWeights() = default;
  bool sound() const noexcept;
  float find(uint64_t hash, const WeightBucket& bucket, uint64_t matches) const noexcept;
  float find_spilled(uint64_t hash) const noexcept;
  uint64_t bits_at(uint64_t bit, uint32_t count) const noexcept;

  uint64_t size_ = 0, layout_ = 0;
  WeightPacking packing_;
  std::span<const WeightBucket> buckets_;
  std::span<const uint8_t> entries_;  // bit-packed, with eight bytes of padding
  std::span<const SpilledWeight> spilled_;
  size_t bytes_ = 0;
  std::shared_ptr<const Container> owner_;
};

// Writes such a file; the features must be added in order.
class StoredWeightsWriter {
 public:
  // `features` is the number of features to be added.
  StoredWeightsWriter(const std::string& path, uint64_t features, uint64_t layout);

  // Features must arrive in strictly ascending order of mix64(key), without zeros. Throws
  // std::invalid_argument if they do not, ModelError for weights that are not finite.
  void add(FeatureKey key, float weight);
  void commit();

 private:
  void append_bits(uint64_t value, uint32_t count);

  ContainerWriter container_;
  uint64_t features_, added_ = 0, layout_, last_ = 0;
  WeightPacking packing_;
  std::vector<WeightBucket> buckets_;
  std::vector<SpilledWeight> spilled_;
  std::vector<uint8_t> bytes_;  // not yet written
  uint64_t pending_ = 0;        // bits that do not fill a byte yet
  uint32_t pending_bits_ = 0;
};

// Stores the weights of a table, or their averages over `steps` steps if that is positive. Zeros
// are omitted.
void store_weights(const std::string& path, const SparseTable& table, int64_t steps);
// The same for distinct keys in any order.
void store_weights(const std::string& path, std::span<const FeatureKey> keys,
                   std::span<const float> weights, uint64_t layout);

}  // namespace demotic::features
