// Sparse weights that do not change any more: a mapped file with exact keys in less than 12 bytes a
// feature from ten thousand on (10.3 at thirty million).
//
// Keys are mixed by a bijection, and the mixed ones sorted. A bucket holds those of one stretch of
// the 64-bit numbers, about 38; it is one cache line with a byte of each of its keys, so that a key
// that is not there costs that line and no more, six times in seven. Beside it lies, for each
// feature, what bucket and byte do not say of the key, in as many bits as that takes, and the
// weight. The few keys beyond the 59 that a bucket can hold are listed apart.
//
// Immutable; shared between threads.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "demotic/base/container.h"
#include "demotic/base/stop.h"
#include "demotic/features/sparse_features.h"
#include "demotic/features/sparse_table.h"

namespace demotic::features {

struct alignas(64) WeightBucket {
  static constexpr uint32_t kMost = 59;
  static constexpr uint8_t kSpilled = 0x80;
  uint32_t first;  // of its features among all
  uint8_t size;    // and kSpilled if there are more, listed apart
  uint8_t low[kMost];
};
static_assert(sizeof(WeightBucket) == 64);

struct SpilledWeight {
  uint64_t hash;
  float weight;
  uint32_t zero;
};
static_assert(sizeof(SpilledWeight) == 16);

// How hashes become places; follows from the number of features.
struct WeightPacking {
  uint64_t buckets = 1;
  uint32_t rest_bits = 56;  // of a hash, beside bucket and low byte

  static WeightPacking of(uint64_t features) noexcept;
  uint64_t bucket(uint64_t hash) const noexcept {
    return static_cast<uint64_t>(static_cast<unsigned __int128>(hash) * buckets >> 64);
  }
  uint64_t first_hash(uint64_t bucket) const noexcept;
  uint64_t rest(uint64_t hash) const noexcept {
    return hash >> 8 & ((uint64_t{1} << rest_bits) - 1);
  }
  uint64_t entry_bits() const noexcept { return rest_bits + uint64_t{32}; }
};

class StoredSparseWeights final : public SparseWeights {
 public:
  // Throws as Container does, and FormatError if its arrays contradict each other; whoever opens
  // without `verify` trusts the writer.
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
  struct LookUp;
  StoredSparseWeights() = default;
  bool sound() const noexcept;
  float find(uint64_t hash, const WeightBucket& bucket, uint64_t matches) const noexcept;
  float find_spilled(uint64_t hash) const noexcept;
  uint64_t bits_at(uint64_t bit, uint32_t count) const noexcept;

  uint64_t size_ = 0, layout_ = 0;
  WeightPacking packing_;
  std::span<const WeightBucket> buckets_;
  std::span<const uint8_t> entries_;  // bit-packed, eight bytes more than needed
  std::span<const SpilledWeight> spilled_;
  size_t bytes_ = 0;
  std::shared_ptr<const Container> owner_;
};

// Writes a file of them from features in order.
class StoredWeightsWriter {
 public:
  // `features` is how many will come.
  StoredWeightsWriter(const std::string& path, uint64_t features, uint64_t layout);

  // Features by strictly rising mix64(key), none of them zero. Throws std::invalid_argument if
  // they are not, ModelError for weights that are not finite.
  void add(FeatureKey key, float weight);
  void commit();

 private:
  void append_bits(uint64_t value, uint32_t count);

  ContainerWriter container_;
  uint64_t features_, added_ = 0, layout_, last_ = 0;
  WeightPacking packing_;
  std::vector<WeightBucket> buckets_;
  std::vector<SpilledWeight> spilled_;
  std::vector<uint8_t> bytes_;  // not yet handed on
  uint64_t pending_ = 0;        // bits that fill no byte yet
  uint32_t pending_bits_ = 0;
};

// The weights of a table as they are, or if `steps` is positive their averages over so many steps.
// Zeros are left out.
void store_weights(const std::string& path, const SparseTable& table, int64_t steps);
// The same of keys, all different, in any order.
void store_weights(const std::string& path, std::span<const FeatureKey> keys,
                   std::span<const float> weights, uint64_t layout);

}  // namespace demotic::features
