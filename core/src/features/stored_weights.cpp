#include "demotic/features/stored_weights.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "demotic/base/errors.h"
#include "demotic/base/hash.h"
#include "demotic/base/portable.h"
#include "stored_weights_format.h"
#include "sum_weights.h"

namespace demotic::features {
namespace {

// Bit set of the features in a bucket whose low byte equals `wanted`.
uint64_t matches(const WeightBucket& bucket, uint8_t wanted) noexcept {
  constexpr auto kBefore = offsetof(WeightBucket, low);
  uint64_t equal = 0;
#if defined(__SSE2__)
  const auto* line = reinterpret_cast<const __m128i*>(&bucket);
  const __m128i all = _mm_set1_epi8(static_cast<char>(wanted));
  for (int i = 3; i >= 0; --i) {
    const __m128i same = _mm_cmpeq_epi8(_mm_load_si128(line + i), all);
    equal = equal << 16 | static_cast<uint32_t>(_mm_movemask_epi8(same));
  }
  equal >>= kBefore;
#else
  for (uint32_t i = 0; i < WeightBucket::kCapacity; ++i)
    equal |= uint64_t{bucket.low[i] == wanted} << i;
#endif
  const uint32_t size = bucket.size & ~WeightBucket::kSpilled;
  return equal & ((uint64_t{1} << size) - 1);
}

}  // namespace

StoredSparseWeights StoredSparseWeights::open(const std::string& path, bool verify,
                                              const StopFlag& stop) {
  auto container = std::make_shared<const Container>(path, kWeightsKind, kWeightsVersion);
  if (verify) container->verify(stop);
  StoredSparseWeights result;
  const auto head = container->section<WeightsHead>("head");
  result.buckets_ = container->section<WeightBucket>("buckets");
  result.entries_ = container->section<uint8_t>("entries");
  result.spilled_ = container->section<SpilledWeight>("spilled");
  result.bytes_ = container->size_bytes();
  bool good = head.size() == 1;
  if (good) {
    result.size_ = head[0].features;
    result.layout_ = head[0].layout;
    result.packing_ = WeightPacking::of(result.size_);
    const uint64_t packed = result.size_ - result.spilled_.size();
    good = result.size_ < (uint64_t{1} << 32) && result.spilled_.size() <= result.size_ &&
           result.buckets_.size() == result.packing_.buckets &&
           result.entries_.size() == packed_bytes(packed, result.packing_);
  }
  if (!good || (verify && !result.sound()))
    throw FormatError({.path = path,
                       .found = "inconsistent arrays",
                       .expected = "sparse weights",
                       .advice = "train the model again"});
  result.owner_ = std::move(container);
  return result;
}

bool StoredSparseWeights::sound() const noexcept {
  uint64_t first = 0;
  for (const WeightBucket& bucket : buckets_) {
    const uint32_t size = bucket.size & ~WeightBucket::kSpilled;
    if (bucket.first != first || size > WeightBucket::kCapacity) return false;
    first += size;
  }
  if (first + spilled_.size() != size_) return false;
  for (size_t i = 1; i < spilled_.size(); ++i)
    if (spilled_[i - 1].hash >= spilled_[i].hash) return false;
  return true;
}

uint64_t StoredSparseWeights::bits_at(uint64_t bit, uint32_t count) const noexcept {
  uint64_t word;
  std::memcpy(&word, entries_.data() + bit / 8, sizeof word);
  return word >> bit % 8 & ((uint64_t{1} << count) - 1);
}

float StoredSparseWeights::find(uint64_t hash, const WeightBucket& bucket,
                                uint64_t hits) const noexcept {
  const uint64_t rest = packing_.rest(hash);
  for (; hits != 0; hits &= hits - 1) {
    const uint64_t feature = uint64_t{bucket.first} + std::countr_zero(hits);
    const uint64_t bit = feature * packing_.entry_bits();
    if (bits_at(bit, packing_.rest_bits) == rest)
      return std::bit_cast<float>(static_cast<uint32_t>(bits_at(bit + packing_.rest_bits, 32)));
  }
  return bucket.size & WeightBucket::kSpilled ? find_spilled(hash) : 0;
}

float StoredSparseWeights::find_spilled(uint64_t hash) const noexcept {
  const auto found = std::ranges::lower_bound(spilled_, hash, {}, &SpilledWeight::hash);
  return found != spilled_.end() && found->hash == hash ? found->weight : 0;
}

struct StoredSparseWeights::Lookup {
  Lookup() = default;
  Lookup(const StoredSparseWeights& stored, FeatureKey key) noexcept
      : all(&stored), hash(mix64(key)), bucket(&stored.buckets_[stored.packing_.bucket(hash)]) {
    prefetch_line(bucket);
  }
  void prefetch_entry() noexcept {
    hits = matches(*bucket, static_cast<uint8_t>(hash));
    if (hits == 0) return;
    const uint64_t feature = uint64_t{bucket->first} + std::countr_zero(hits);
    const uint64_t bit = feature * all->packing_.entry_bits();
    const uint8_t* entry = all->entries_.data() + bit / 8;
    prefetch_line(entry);
    prefetch_line(entry + all->packing_.entry_bits() / 8);  // may span two cache lines
  }
  float weight() const noexcept { return all->find(hash, *bucket, hits); }

  const StoredSparseWeights* all;
  uint64_t hash;
  const WeightBucket* bucket;
  uint64_t hits;
};

float StoredSparseWeights::weight(FeatureKey key) const noexcept {
  Lookup one(*this, key);
  one.prefetch_entry();
  return one.weight();
}

void StoredSparseWeights::sums(std::span<const FeatureKey> keys, std::span<const uint32_t> ends,
                               std::span<double> sums) const noexcept {
  sum_weights<Lookup>(*this, keys, ends, sums);
}

StoredSparseWeights::Arrays StoredSparseWeights::arrays() const {
  std::vector<std::pair<FeatureKey, float>> all;
  all.reserve(size_);
  const uint32_t low_bits = packing_.rest_bits + 8;
  const uint64_t mask = ~uint64_t{0} >> (64 - low_bits);
  for (uint64_t number = 0; number < buckets_.size(); ++number) {
    const WeightBucket& bucket = buckets_[number];
    const uint64_t base = packing_.first_hash(number);
    for (uint32_t i = 0; i < (bucket.size & ~uint32_t{WeightBucket::kSpilled}); ++i) {
      const uint64_t bit = (uint64_t{bucket.first} + i) * packing_.entry_bits();
      const uint64_t low = bits_at(bit, packing_.rest_bits) << 8 | bucket.low[i];
      const auto weight = static_cast<uint32_t>(bits_at(bit + packing_.rest_bits, 32));
      all.emplace_back(unmix64(base + ((low - base) & mask)), std::bit_cast<float>(weight));
    }
  }
  for (const SpilledWeight& one : spilled_) all.emplace_back(unmix64(one.hash), one.weight);
  std::ranges::sort(all);
  Arrays result;
  for (const auto& [key, weight] : all) {
    result.keys.push_back(key);
    result.weights.push_back(weight);
  }
  return result;
}

}  // namespace demotic::features
