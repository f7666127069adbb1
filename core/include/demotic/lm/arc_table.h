// The hash table inside a language model: (state, word) to log probability and next state.
//
// Buckets of one cache line hold five arcs, filled from the arc's home bucket onwards. A key has as
// many bits as states and words need, is scrambled by a bijection of that many bits, and its high
// part chooses the home bucket; arcs then differ in the low 32 bits, which is all that is stored.
// Keys are therefore compared exactly: no two n-grams are ever taken for each other. A bucket knows
// whether any arc went past it, so most failing searches also end in the first line.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "demotic/text/vocabulary.h"

namespace demotic {

struct ArcBucket {
  static constexpr uint32_t kArcs = 5;
  uint32_t check[kArcs];
  float prob[kArcs];  // -log10 of the probability, its sign bit set if something extends the
                      // n-gram to the left
  uint32_t next[kArcs];
  uint16_t used;
  uint16_t passed;  // 1 if an arc with its home here or before lies in a later bucket
};
static_assert(sizeof(ArcBucket) == 64);

// The scrambling; stored with the table.
struct ArcHash {
  uint32_t key_bits = 2;  // of state and word together
  uint32_t word_bits = 1;
  uint32_t homes = 1;  // buckets that are a home; a few more follow for what passes the last
  uint32_t reach = 0;  // the farthest an arc lies from its home

  uint64_t mask() const noexcept { return ~uint64_t{0} >> (64 - key_bits); }
  uint64_t scramble(uint32_t state, WordId word) const noexcept {
    const uint32_t half = (key_bits + 1) / 2;
    uint64_t x = uint64_t{state} << word_bits | static_cast<uint32_t>(word);
    x ^= x >> half;
    x = (x * kFirst) & mask();
    x ^= x >> half;
    return (x * kSecond) & mask();
  }
  uint64_t home(uint64_t scrambled) const noexcept {
    return static_cast<uint64_t>(
        static_cast<unsigned __int128>(scrambled << (64 - key_bits)) * homes >> 64);
  }
  // The inverse of `scramble`.
  std::pair<uint32_t, WordId> unscramble(uint64_t x) const noexcept;
  // Whether the low 32 bits tell all keys apart that a search can meet.
  bool exact() const noexcept;

  static constexpr uint64_t kFirst = 0x9e3779b97f4a7c15u, kSecond = 0xbf58476d1ce4e5b9u;
};
static_assert(sizeof(ArcHash) == 16);

struct Arc {
  uint32_t state;
  WordId word;
  float prob;  // as in ArcBucket
  uint32_t next;
};

// What a search found; read in place.
struct FoundArc {
  const ArcBucket* bucket = nullptr;  // null if there is no such arc
  uint32_t slot = 0;
};

// A view; the memory is the model's. Safe to share between threads.
class ArcTable {
 public:
  ArcTable() = default;
  ArcTable(ArcHash hash, std::span<const ArcBucket> buckets) : hash_(hash), buckets_(buckets) {}

  FoundArc find(uint32_t state, WordId word) const noexcept {
    return find(hash_.scramble(state, word));
  }
  FoundArc find(uint64_t scrambled) const noexcept {
    const auto check = static_cast<uint32_t>(scrambled);
    const ArcBucket* bucket = buckets_.data() + hash_.home(scrambled);
    for (;; ++bucket) {
      uint32_t hits = 0;
      for (uint32_t i = 0; i < ArcBucket::kArcs; ++i)
        hits |= static_cast<uint32_t>(bucket->check[i] == check) << i;
      hits &= (1u << bucket->used) - 1;
      if (hits) return {bucket, static_cast<uint32_t>(std::countr_zero(hits))};
      if (!bucket->passed) return {};
    }
  }
  // Scrambles and fetches; the result is for `find`.
  uint64_t prefetch(uint32_t state, WordId word) const noexcept {
    const uint64_t scrambled = hash_.scramble(state, word);
    __builtin_prefetch(buckets_.data() + hash_.home(scrambled));
    return scrambled;
  }

  const ArcHash& hash() const noexcept { return hash_; }
  std::span<const ArcBucket> buckets() const noexcept { return buckets_; }

  // All arcs, in the order of their buckets.
  std::vector<Arc> arcs() const;
  // Whether the buckets are sound for `states` and `words`: searches end, arcs lead somewhere.
  bool sound(uint32_t states, WordId words) const noexcept;

 private:
  ArcHash hash_;
  std::span<const ArcBucket> buckets_;
};

// Builds the buckets for arcs whose (state, word) are all different. About 15 bytes an arc.
std::pair<ArcHash, std::vector<ArcBucket>> build_arc_table(std::span<const Arc> arcs,
                                                           uint32_t states, WordId words);

}  // namespace demotic
