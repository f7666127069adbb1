#include <algorithm>
#include <bit>
#include <cmath>
#include <stdexcept>

#include "demotic/base/errors.h"
#include "demotic/base/hash.h"
#include "demotic/base/portable.h"
#include "demotic/features/stored_weights.h"
#include "stored_weights_format.h"

namespace demotic::features {
namespace {

constexpr size_t kBytesPerWrite = 1 << 20;  // bytes buffered per write

void check_finite(float weight) {
  if (!std::isfinite(weight))
    throw ModelError({.found = "a sparse weight that is not finite",
                      .expected = "numbers",
                      .advice = "train with smaller step sizes"});
}

}  // namespace

WeightPacking WeightPacking::of(uint64_t features) noexcept {
  WeightPacking packing;
  packing.buckets = std::max<uint64_t>(1, (features + kWeightsOfBucket - 1) / kWeightsOfBucket);
  // The hashes of a bucket lie in one interval, so their low bits distinguish them.
  const uint64_t longest = ~uint64_t{0} / packing.buckets + 1;  // 0 for all 2^64
  const auto low_bits = longest == 0 ? 64 : static_cast<uint32_t>(std::bit_width(longest - 1));
  packing.rest_bits = std::max(low_bits, 9u) - 8;
  return packing;
}

uint64_t WeightPacking::first_hash(uint64_t bucket) const noexcept {
  return divide_scaled_up(bucket, 64, buckets);
}

StoredWeightsWriter::StoredWeightsWriter(const std::string& path, uint64_t features,
                                         uint64_t layout)
    : container_(path, kWeightsKind, kWeightsVersion),
      features_(features),
      layout_(layout),
      packing_(WeightPacking::of(features)),
      buckets_(packing_.buckets) {
  if (features >= uint64_t{1} << 32)
    throw ModelError({.found = std::to_string(features) + " sparse features",
                      .expected = "at most 4294967295",
                      .advice = "use fewer templates"});
  const WeightsHead head{features_, layout_};
  container_.section("head", std::span<const WeightsHead>(&head, 1));
  container_.begin_section("entries", 1);
}

void StoredWeightsWriter::add(FeatureKey key, float weight) {
  const uint64_t hash = mix64(key);
  if (added_ == features_ || weight == 0 || (added_ > 0 && hash <= last_))
    throw std::invalid_argument("features must be in order, not zero, and not more than announced");
  check_finite(weight);
  ++added_;
  last_ = hash;
  WeightBucket& bucket = buckets_[packing_.bucket(hash)];
  if (bucket.size >= WeightBucket::kCapacity) {
    bucket.size |= WeightBucket::kSpilled;
    spilled_.push_back({hash, weight, 0});
    return;
  }
  bucket.low[bucket.size++] = static_cast<uint8_t>(hash);
  append_bits(packing_.rest(hash), packing_.rest_bits);
  append_bits(std::bit_cast<uint32_t>(weight), 32);
}

void StoredWeightsWriter::append_bits(uint64_t value, uint32_t count) {
  // Fewer than eight bits are pending, and a value has at most 56.
  pending_ |= value << pending_bits_;
  pending_bits_ += count;
  for (; pending_bits_ >= 8; pending_bits_ -= 8, pending_ >>= 8)
    bytes_.push_back(static_cast<uint8_t>(pending_));
  if (bytes_.size() < kBytesPerWrite) return;
  container_.append(std::span<const uint8_t>(bytes_));
  bytes_.clear();
}

void StoredWeightsWriter::commit() {
  if (added_ != features_) throw std::invalid_argument("fewer features were added than announced");
  if (pending_bits_ > 0) bytes_.push_back(static_cast<uint8_t>(pending_));
  bytes_.insert(bytes_.end(), 8, 0);
  container_.append(std::span<const uint8_t>(bytes_));
  uint32_t first = 0;
  for (WeightBucket& bucket : buckets_) {
    bucket.first = first;
    first += bucket.size & ~WeightBucket::kSpilled;
  }
  container_.section("buckets", std::span<const WeightBucket>(buckets_));
  container_.section("spilled", std::span<const SpilledWeight>(spilled_));
  container_.commit();
}

void store_weights(const std::string& path, const SparseTable& table, int64_t steps) {
  const auto weight = [&](const SparseTable::Feature& one) {
    return steps > 0 ? one.averaged(steps) : one.weight;
  };
  uint64_t features = 0;
  table.for_each([&](const SparseTable::Feature& one) { features += weight(one) != 0; });
  StoredWeightsWriter writer(path, features, table.layout());
  table.for_each([&](const SparseTable::Feature& one) {
    if (weight(one) != 0) writer.add(one.key, weight(one));
  });
  writer.commit();
}

void store_weights(const std::string& path, std::span<const FeatureKey> keys,
                   std::span<const float> weights, uint64_t layout) {
  if (keys.size() != weights.size())
    throw std::invalid_argument(
        "keys and weights differ in length: " + std::to_string(keys.size()) + " and " +
        std::to_string(weights.size()));
  std::vector<std::pair<uint64_t, size_t>> order;
  for (size_t i = 0; i < keys.size(); ++i) order.emplace_back(mix64(keys[i]), i);
  std::ranges::sort(order);
  const auto same = [](const auto& a, const auto& b) { return a.first == b.first; };
  if (std::ranges::adjacent_find(order, same) != order.end())
    throw std::invalid_argument("duplicate key");
  std::erase_if(order, [&](const auto& one) { return weights[one.second] == 0; });
  StoredWeightsWriter writer(path, order.size(), layout);
  for (const auto& [hash, i] : order) writer.add(keys[i], weights[i]);
  writer.commit();
}

}  // namespace demotic::features
