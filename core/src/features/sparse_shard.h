// A part of a sparse table: the keys that begin with the same bits of their hash.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "demotic/base/hash.h"
#include "demotic/features/sparse_table.h"

namespace demotic {

struct SparseTable::Shard {
  struct alignas(64) TagLine {
    uint64_t groups[8];  // a byte a slot; 0 if it is empty
  };
  struct Entry {
    uint32_t low, high;  // of the key: without padding an entry is 12 bytes
    float weight;
    FeatureKey key() const noexcept { return uint64_t{high} << 32 | low; }
  };
  static_assert(sizeof(Entry) == 12);

  static constexpr uint32_t kNone = UINT32_MAX;
  static constexpr uint32_t kSlotsOfLine = 64;
  // At most nine of ten slots are used.
  static constexpr uint32_t kMostOfTen = 9;

  static uint32_t lines_for(uint32_t features) noexcept {
    const uint64_t slots = uint64_t{features} * 10 / kMostOfTen + 1;
    return static_cast<uint32_t>((slots + kSlotsOfLine - 1) / kSlotsOfLine);
  }

  Shard(int bits, uint32_t lines) : depth(bits) { allocate(std::max(lines, 1u)); }

  bool full() const noexcept {
    return (uint64_t{size} + 1) * 10 > uint64_t{kMostOfTen} * entries.size();
  }

  // Ends because some slot is empty.
  uint32_t find(FeatureKey key, uint64_t hash) const noexcept {
    for (Probe probe(*this, hash);; probe.next(*this)) {
      const uint64_t group = probe.group(*this);
      for (uint64_t hits = zero_bytes(group ^ tag_of(hash) * kLow); hits != 0; hits &= hits - 1) {
        const uint32_t slot = probe.slot(std::countr_zero(hits) / 8);
        if (entries[slot].key() == key) return slot;
      }
      if (zero_bytes(group) != 0) return kNone;
    }
  }

  // The key must not be here, and there must be room.
  uint32_t insert(FeatureKey key, uint64_t hash, float weight, double sum) {
    Probe probe(*this, hash);
    while (zero_bytes(probe.group(*this)) == 0) probe.next(*this);
    const int byte = std::countr_zero(zero_bytes(probe.group(*this))) / 8;
    const uint32_t slot = probe.slot(byte);
    tags[slot / 64].groups[slot / 8 % 8] |= tag_of(hash) << (8 * byte);
    entries[slot] = {static_cast<uint32_t>(key), static_cast<uint32_t>(key >> 32), weight};
    sums[slot] = sum;
    ++size;
    return slot;
  }

  void resize(uint32_t lines) {
    Shard old(depth, 0);
    std::swap(old, *this);
    allocate(std::max(lines, old.lines() + 1));
    old.for_each([&](uint32_t slot) {
      const FeatureKey key = old.entries[slot].key();
      insert(key, mix64(key), old.entries[slot].weight, old.sums[slot]);
    });
  }

  // Calls visit(slot) for each that is used.
  template <typename Visit>
  void for_each(Visit&& visit) const {
    for (uint32_t slot = 0; slot < entries.size(); ++slot)
      if (tags[slot / 64].groups[slot / 8 % 8] >> (slot % 8 * 8) & 0xff) visit(slot);
  }

  void prefetch_tags(uint64_t hash) const noexcept {
    __builtin_prefetch(&tags[Probe(*this, hash).line]);
  }
  // Where the key is, if it is in the first group; its tags should be in the cache.
  void prefetch_entry(uint64_t hash) const noexcept {
    const Probe probe(*this, hash);
    const uint64_t hits = zero_bytes(probe.group(*this) ^ tag_of(hash) * kLow);
    if (hits != 0) __builtin_prefetch(&entries[probe.slot(std::countr_zero(hits) / 8)]);
  }

  uint32_t lines() const noexcept { return static_cast<uint32_t>(tags.size()); }
  size_t size_bytes() const noexcept {
    return sizeof *this + tags.capacity() * sizeof tags[0] +
           entries.capacity() * sizeof entries[0] + sums.capacity() * sizeof sums[0];
  }

  int depth;  // bits of the hash that all its keys share
  uint32_t size = 0;
  std::vector<TagLine> tags;
  std::vector<Entry> entries;
  std::vector<double> sums;

 private:
  static constexpr uint64_t kLow = 0x0101010101010101u, kHigh = 0x8080808080808080u;

  // The groups in which a key may be: those of its line from one on, then those of the next.
  struct Probe {
    uint32_t line, first, step = 0;
    Probe(const Shard& shard, uint64_t hash) noexcept
        : line(static_cast<uint32_t>((hash << shard.depth >> 32) * uint64_t{shard.lines()} >> 32)),
          first(static_cast<uint32_t>(hash >> 8) % 8) {}
    void next(const Shard& shard) noexcept {
      if (++step % 8 == 0) line = line + 1 == shard.lines() ? 0 : line + 1;
    }
    uint32_t number() const noexcept { return (first + step) % 8; }
    uint64_t group(const Shard& shard) const noexcept { return shard.tags[line].groups[number()]; }
    uint32_t slot(int byte) const noexcept {
      return (line * 8 + number()) * 8 + static_cast<uint32_t>(byte);
    }
  };

  static uint64_t tag_of(uint64_t hash) noexcept { return std::max<uint64_t>(hash & 0xff, 1); }
  // The high bit of each byte that is zero, and perhaps of bytes of 1 above one.
  static uint64_t zero_bytes(uint64_t x) noexcept { return (x - kLow) & ~x & kHigh; }

  void allocate(uint32_t lines) {
    tags.assign(lines, {});
    entries.assign(size_t{lines} * kSlotsOfLine, {});
    sums.assign(size_t{lines} * kSlotsOfLine, 0);
    size = 0;
  }
};

}  // namespace demotic
