#include "demotic/features/sparse_table.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "demotic/base/hash.h"
#include "demotic/base/portable.h"
#include "sparse_shard.h"
#include "sum_weights.h"

namespace demotic::features {
namespace {

constexpr size_t kAhead = 16;           // prefetch distance in keys, per stage
constexpr uint32_t kSplitAt = 1 << 18;  // a shard of this size occupies several huge pages
constexpr int kMaxDepth = 20;           // limits the directory, whatever the keys

}  // namespace

struct SparseTable::Lookup {
  Lookup() = default;
  Lookup(const SparseTable& table, FeatureKey wanted) noexcept
      : key(wanted), hash(mix64(wanted)), shard(&table.shard_of(hash)) {
    slots.probe = Shard::Probe(*shard, hash);
    shard->prefetch_tags(slots.probe);
  }
  void prefetch_entry() noexcept {
    slots = Shard::Slots(*shard, hash, slots.probe);
    if (slots.hits != 0) shard->prefetch_entry(slots.slot());
  }
  float weight() const noexcept {
    const uint32_t slot = shard->find(key, hash, slots);
    return slot == Shard::kNone ? 0 : shard->entries[slot].weight;
  }

  FeatureKey key;
  uint64_t hash;
  const Shard* shard;
  Shard::Slots slots;
};

SparseTable::SparseTable(uint64_t layout)
    : layout_(layout), directory_{std::make_shared<Shard>(0, 0)} {}

SparseTable::~SparseTable() = default;

void SparseTable::add(FeatureKey key, float delta, int64_t step) {
  const Position position = insert(key);
  position.shard->entries[position.slot].weight += delta;
  position.shard->sums[position.slot] += static_cast<double>(step) * static_cast<double>(delta);
  cache_.set(key, position.shard->entries[position.slot].weight);
}

void SparseTable::add(std::span<const FeatureKey> keys, std::span<const float> deltas,
                      int64_t step) {
  // Prefetched positions are looked up again when needed, because shards may grow or split before.
  for (size_t i = 0; i < keys.size() + 2 * kAhead; ++i) {
    if (i < keys.size()) prefetch_tags(keys[i]);
    if (i >= kAhead && i - kAhead < keys.size()) prefetch_slot(keys[i - kAhead]);
    if (i >= 2 * kAhead) add(keys[i - 2 * kAhead], deltas[i - 2 * kAhead], step);
  }
}

void SparseTable::prefetch_tags(FeatureKey key) const noexcept {
  const uint64_t hash = mix64(key);
  const Shard& shard = shard_of(hash);
  shard.prefetch_tags(Shard::Probe(shard, hash));
  cache_.prefetch(key);
}

void SparseTable::prefetch_slot(FeatureKey key) const noexcept {
  const uint64_t hash = mix64(key);
  const Shard& shard = shard_of(hash);
  const uint32_t slot = Shard::Slots(shard, hash, Shard::Probe(shard, hash)).slot();
  if (slot == Shard::kNone) return;
  shard.prefetch_entry(slot);
  prefetch_line(&shard.sums[slot]);
}

SparseTable::Position SparseTable::insert(FeatureKey key) {
  const uint64_t hash = mix64(key);
  Shard* shard = &shard_of(hash);
  if (const uint32_t slot = shard->find(key, hash); slot != Shard::kNone) return {shard, slot};
  if (shard->full()) {
    make_room(hash);
    shard = &shard_of(hash);
  }
  ++size_;
  return {shard, shard->insert(key, hash, 0, 0)};
}

void SparseTable::make_room(uint64_t hash) {
  Shard& shard = shard_of(hash);
  if (shard.size < kSplitAt || shard.depth == kMaxDepth) {
    shard.resize(Shard::lines_for(shard.size + shard.size / 8));
    return;
  }
  if (shard.depth == depth_) {
    std::vector<std::shared_ptr<Shard>> doubled;
    for (const auto& one : directory_) doubled.insert(doubled.end(), {one, one});
    directory_ = std::move(doubled);
    ++depth_;
  }
  split(static_cast<size_t>(hash >> 1 >> (63 - depth_)));
}

void SparseTable::split(size_t at) {
  const std::shared_ptr<Shard> old = directory_[at];
  const int depth = old->depth + 1;
  const size_t copies = size_t{1} << (depth_ - old->depth);
  const size_t first = at & ~(copies - 1);
  for (size_t half = 0; half < 2; ++half) {
    auto made = std::make_shared<Shard>(depth, Shard::lines_for(old->size * 9 / 16));
    old->for_each([&](uint32_t slot) {
      const FeatureKey key = old->entries[slot].key();
      const uint64_t hash = mix64(key);
      if ((hash >> (64 - depth) & 1) != half) return;
      if (made->full()) made->resize(Shard::lines_for(made->size + made->size / 8));
      made->insert(key, hash, old->entries[slot].weight, old->sums[slot]);
    });
    std::fill_n(directory_.begin() + first + half * copies / 2, copies / 2, made);
  }
}

float SparseTable::weight(FeatureKey key) const noexcept {
  Lookup one(*this, key);
  one.prefetch_entry();
  return one.weight();
}

float SparseTable::averaged(FeatureKey key, int64_t steps) const noexcept {
  const uint64_t hash = mix64(key);
  const Shard& shard = shard_of(hash);
  const uint32_t slot = shard.find(key, hash);
  if (slot == Shard::kNone) return 0;
  return Feature{key, shard.entries[slot].weight, shard.sums[slot]}.averaged(steps);
}

void SparseTable::sums(std::span<const FeatureKey> keys, std::span<const uint32_t> ends,
                       std::span<double> sums) const noexcept {
  sum_weights<Lookup>(*this, keys, ends, sums);
}

size_t SparseTable::size_bytes() const noexcept {
  size_t bytes = sizeof *this + directory_.capacity() * sizeof directory_[0];
  for (size_t at = 0; at < directory_.size(); at = next_shard(at))
    bytes += directory_[at]->size_bytes();
  return bytes;
}

size_t SparseTable::next_shard(size_t at) const noexcept {
  return at + (size_t{1} << (depth_ - directory_[at]->depth));
}

void SparseTable::list_shard(size_t at, std::vector<Feature>& features) const {
  const Shard& shard = *directory_[at];
  features.clear();
  shard.for_each([&](uint32_t slot) {
    features.push_back({shard.entries[slot].key(), shard.entries[slot].weight, shard.sums[slot]});
  });
  std::ranges::sort(features, {}, [](const Feature& one) { return mix64(one.key); });
}

}  // namespace demotic::features
