// A part of a sparse table: the keys that begin with the same bits of their hash.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "demotic/base/hash.h"
#include "demotic/features/sparse_table.h"
#include "own_pages.h"

namespace demotic::features {

struct SparseTable::Shard {
  struct alignas(64) TagLine {
    static constexpr uint32_t kGroups = 7;
    uint64_t groups[kGroups];  // a byte a slot; 0 if it is empty
    uint64_t away;  // a bit by the hash for keys that are not in the group they belong to
  };
  struct Entry {
    uint32_t low, high;  // of the key: without padding an entry is 12 bytes
    float weight;
    FeatureKey key() const noexcept { return uint64_t{high} << 32 | low; }
  };
  static_assert(sizeof(Entry) == 12);

  static constexpr uint32_t kNone = UINT32_MAX;
  static constexpr uint32_t kSlotsOfLine = 8 * TagLine::kGroups;
  // At most nine of ten slots are used.
  static constexpr uint32_t kMostOfTen = 9;

  static uint32_t lines_for(uint32_t features) noexcept {
    const uint64_t slots = uint64_t{features} * 10 / kMostOfTen + 1;
    return static_cast<uint32_t>((slots + kSlotsOfLine - 1) / kSlotsOfLine);
  }

  Shard(int bits, uint32_t line_count) : depth(bits) { allocate(std::max(line_count, 1u)); }

  bool full() const noexcept {
    return (uint64_t{size} + 1) * 10 > uint64_t{kMostOfTen} * lines * kSlotsOfLine;
  }

  // The groups in which a key may be: those of its line from one on, then those of the next.
  struct Probe {
    uint32_t line, group;
    uint32_t looked;  // at so many groups before
    Probe() = default;
    Probe(const Shard& shard, uint64_t hash) noexcept
        : line(static_cast<uint32_t>((hash << shard.depth >> 32) * shard.lines >> 32)),
          group(static_cast<uint32_t>((hash >> 8 & 0xff) * TagLine::kGroups >> 8)),
          looked(0) {}
    void next(const Shard& shard) noexcept {
      group = group + 1 == TagLine::kGroups ? 0 : group + 1;
      if (++looked % TagLine::kGroups == 0) line = line + 1 == shard.lines ? 0 : line + 1;
    }
    uint64_t tags(const Shard& shard) const noexcept { return shard.tags[line].groups[group]; }
    // Of the lowest byte that was hit.
    uint32_t slot(uint64_t hits) const noexcept {
      return line * kSlotsOfLine + group * 8 + static_cast<uint32_t>(std::countr_zero(hits)) / 8;
    }
  };

  // Where a key may be, slot by slot, by the tags alone.
  struct Slots {
    Probe probe;
    bool away, last;  // the key may be in other groups; not after this one
    uint64_t hits;    // slots of the group that are left
    Slots() = default;
    // At the first one.
    Slots(const Shard& shard, uint64_t hash, const Probe& first) noexcept
        : probe(first), away((shard.tags[first.line].away & away_bit(hash)) != 0) {
      look(shard, hash);
      skip(shard, hash);
    }
    uint32_t slot() const noexcept { return hits == 0 ? kNone : probe.slot(hits); }
    void next(const Shard& shard, uint64_t hash) noexcept {
      hits &= hits - 1;
      skip(shard, hash);
    }

   private:
    // Ends because some slot is empty. Most keys that are not here are known not to be away.
    void skip(const Shard& shard, uint64_t hash) noexcept {
      while (hits == 0 && !last) {
        probe.next(shard);
        look(shard, hash);
      }
    }
    void look(const Shard& shard, uint64_t hash) noexcept {
      const uint64_t group = probe.tags(shard);
      hits = zero_bytes(group ^ tag_of(hash) * kLow);
      last = !away || zero_bytes(group) != 0;
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

  // The key must not be here, and there must be room.
  uint32_t insert(FeatureKey key, uint64_t hash, float weight, double sum) {
    Probe probe(*this, hash);
    const uint32_t home = probe.line;
    while (zero_bytes(probe.tags(*this)) == 0) probe.next(*this);
    if (probe.looked > 0) tags[home].away |= away_bit(hash);
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

  // Calls visit(slot) for each that is used.
  template <typename Visit>
  void for_each(Visit&& visit) const {
    for (uint32_t slot = 0; slot < lines * kSlotsOfLine; ++slot) {
      const uint32_t in_line = slot % kSlotsOfLine;
      const uint64_t group = tags[slot / kSlotsOfLine].groups[in_line / 8];
      if (group >> (in_line % 8 * 8) & 0xff) visit(slot);
    }
  }

  void prefetch_tags(const Probe& probe) const noexcept { __builtin_prefetch(&tags[probe.line]); }
  // It may stand in two cache lines.
  void prefetch_entry(uint32_t slot) const noexcept {
    __builtin_prefetch(&entries[slot]);
    __builtin_prefetch(&entries[slot].weight);
  }

  size_t size_bytes() const noexcept { return sizeof *this + memory.size(); }

  int depth;  // bits of the hash that all its keys share
  uint32_t size = 0;
  uint32_t lines = 0;
  TagLine* tags = nullptr;
  Entry* entries = nullptr;
  double* sums = nullptr;

 private:
  static constexpr uint64_t kLow = 0x0101010101010101u, kHigh = 0x8080808080808080u;
  static constexpr size_t kBytesOfLine =
      sizeof(TagLine) + kSlotsOfLine * (sizeof(Entry) + sizeof(double));

  static uint64_t away_bit(uint64_t hash) noexcept { return uint64_t{1} << (hash >> 16 & 63); }
  static uint64_t tag_of(uint64_t hash) noexcept { return std::max<uint64_t>(hash & 0xff, 1); }
  // The high bit of each byte that is zero, and perhaps of bytes of 1 above one.
  static uint64_t zero_bytes(uint64_t x) noexcept { return (x - kLow) & ~x & kHigh; }

  void allocate(uint32_t line_count) {
    lines = line_count;
    memory = OwnPages(lines * kBytesOfLine);
    tags = reinterpret_cast<TagLine*>(memory.data());
    entries = reinterpret_cast<Entry*>(tags + lines);
    sums = reinterpret_cast<double*>(entries + size_t{lines} * kSlotsOfLine);
  }

  OwnPages memory;  // tags, entries and sums, one after the other
};

}  // namespace demotic::features
