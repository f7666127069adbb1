// One shard of a sparse table: the keys whose hashes begin with the same bits.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "demotic/base/hash.h"
#include "demotic/base/portable.h"
#include "demotic/features/sparse_table.h"
#include "page_buffer.h"

namespace demotic::features {

struct SparseTable::Shard {
  struct alignas(64) TagLine {
    static constexpr uint32_t kGroups = 7;
    uint64_t groups[kGroups];  // one tag byte per slot; 0 if empty
    uint64_t displaced;        // bit set by hash: keys that are not in their home group
  };
  struct Entry {
    uint32_t low, high;  // halves of the key: no padding, so an entry takes 12 bytes
    float weight;
    FeatureKey key() const noexcept { return uint64_t{high} << 32 | low; }
  };
  static_assert(sizeof(Entry) == 12);

  static constexpr uint32_t kNone = UINT32_MAX;
  static constexpr uint32_t kSlotsPerLine = 8 * TagLine::kGroups;
  static constexpr uint32_t kMaxLoadTenths = 9;

  static uint32_t lines_for(uint32_t features) noexcept {
    const uint64_t slots = uint64_t{features} * 10 / kMaxLoadTenths + 1;
    return static_cast<uint32_t>((slots + kSlotsPerLine - 1) / kSlotsPerLine);
  }

  Shard(int bits, uint32_t line_count) : depth(bits) { allocate(std::max(line_count, 1u)); }

  bool full() const noexcept {
    return (uint64_t{size} + 1) * 10 > uint64_t{kMaxLoadTenths} * lines * kSlotsPerLine;
  }

  // The sequence of groups in which a key may be: those of its line from the home group on, then
  // those of the following lines.
  struct Probe {
    uint32_t line, group;
    uint32_t visited;  // number of groups already visited
    Probe() = default;
    Probe(const Shard& shard, uint64_t hash) noexcept
        : line(static_cast<uint32_t>((hash << shard.depth >> 32) * shard.lines >> 32)),
          group(static_cast<uint32_t>((hash >> 8 & 0xff) * TagLine::kGroups >> 8)),
          visited(0) {}
    void next(const Shard& shard) noexcept {
      group = group + 1 == TagLine::kGroups ? 0 : group + 1;
      if (++visited % TagLine::kGroups == 0) line = line + 1 == shard.lines ? 0 : line + 1;
    }
    uint64_t tags(const Shard& shard) const noexcept { return shard.tags[line].groups[group]; }
    // The slot of the lowest matching tag.
    uint32_t slot(uint64_t hits) const noexcept {
      return line * kSlotsPerLine + group * 8 + static_cast<uint32_t>(std::countr_zero(hits)) / 8;
    }
  };

  // Enumerates the slots that may hold a key, by their tags alone.
  struct Slots {
    Probe probe;
    bool displaced, last;  // the key may be in other groups; this is the last group to visit
    uint64_t hits;         // remaining matching slots of the group
    Slots() = default;
    // At the first matching slot.
    Slots(const Shard& shard, uint64_t hash, const Probe& first) noexcept
        : probe(first), displaced((shard.tags[first.line].displaced & displaced_bit(hash)) != 0) {
      load(shard, hash);
      skip(shard, hash);
    }
    uint32_t slot() const noexcept { return hits == 0 ? kNone : probe.slot(hits); }
    void next(const Shard& shard, uint64_t hash) noexcept {
      hits &= hits - 1;
      skip(shard, hash);
    }

   private:
    // Terminates because some slot is empty. For most missing keys the displaced bit ends it at
    // once.
    void skip(const Shard& shard, uint64_t hash) noexcept {
      while (hits == 0 && !last) {
        probe.next(shard);
        load(shard, hash);
      }
    }
    void load(const Shard& shard, uint64_t hash) noexcept {
      const uint64_t group = probe.tags(shard);
      hits = zero_bytes(group ^ tag_of(hash) * kLow);
      last = !displaced || zero_bytes(group) != 0;
    }
  };

  uint32_t find(FeatureKey key, uint64_t hash) const noexcept {
    return find(key, hash, Slots(*this, hash, Probe(*this, hash)));
  }
  uint32_t find(FeatureKey key, uint64_t hash, Slots slots) const noexcept {
    uint32_t slot = slots.slot();
    while (slot != kNone && entries[slot].key() != key) {
      slots.next(*this, hash);
      slot = slots.slot();
    }
    return slot;
  }

  // The key must be missing, and the shard must not be full.
  uint32_t insert(FeatureKey key, uint64_t hash, float weight, double sum) {
    Probe probe(*this, hash);
    const uint32_t home = probe.line;
    while (zero_bytes(probe.tags(*this)) == 0) probe.next(*this);
    if (probe.visited > 0) tags[home].displaced |= displaced_bit(hash);
    const uint32_t slot = probe.slot(zero_bytes(probe.tags(*this)));
    tags[probe.line].groups[probe.group] |= tag_of(hash) << (slot % 8 * 8);
    entries[slot] = {static_cast<uint32_t>(key), static_cast<uint32_t>(key >> 32), weight};
    sums[slot] = sum;
    ++size;
    return slot;
  }

  void resize(uint32_t line_count) {
    const Shard old = std::exchange(*this, Shard(depth, std::max(line_count, lines + 1)));
    old.for_each([&](uint32_t slot) {
      const FeatureKey key = old.entries[slot].key();
      insert(key, mix64(key), old.entries[slot].weight, old.sums[slot]);
    });
  }

  // Calls visit(slot) for each used slot.
  template <typename Visit>
  void for_each(Visit&& visit) const {
    for (uint32_t slot = 0; slot < lines * kSlotsPerLine; ++slot) {
      const uint32_t in_line = slot % kSlotsPerLine;
      const uint64_t group = tags[slot / kSlotsPerLine].groups[in_line / 8];
      if (group >> (in_line % 8 * 8) & 0xff) visit(slot);
    }
  }

  void prefetch_tags(const Probe& probe) const noexcept { prefetch_line(&tags[probe.line]); }
  // An entry may span two cache lines.
  void prefetch_entry(uint32_t slot) const noexcept {
    prefetch_line(&entries[slot]);
    prefetch_line(&entries[slot].weight);
  }

  size_t size_bytes() const noexcept { return sizeof *this + memory.size(); }

  int depth;  // number of leading hash bits that all keys share
  uint32_t size = 0;
  uint32_t lines = 0;
  TagLine* tags = nullptr;
  Entry* entries = nullptr;
  double* sums = nullptr;

 private:
  static constexpr uint64_t kLow = 0x0101010101010101u, kHigh = 0x8080808080808080u;
  static constexpr size_t kBytesPerLine =
      sizeof(TagLine) + kSlotsPerLine * (sizeof(Entry) + sizeof(double));

  static uint64_t displaced_bit(uint64_t hash) noexcept { return uint64_t{1} << (hash >> 16 & 63); }
  static uint64_t tag_of(uint64_t hash) noexcept { return std::max<uint64_t>(hash & 0xff, 1); }
  // Sets the high bit of each zero byte; bytes of value 1 above a zero byte may be set as well.
  static uint64_t zero_bytes(uint64_t x) noexcept { return (x - kLow) & ~x & kHigh; }

  void allocate(uint32_t line_count) {
    lines = line_count;
    memory = PageBuffer(lines * kBytesPerLine);
    tags = reinterpret_cast<TagLine*>(memory.data());
    entries = reinterpret_cast<Entry*>(tags + lines);
    sums = reinterpret_cast<double*>(entries + size_t{lines} * kSlotsPerLine);
  }

  PageBuffer memory;  // tags, then entries, then sums
};

}  // namespace demotic::features
