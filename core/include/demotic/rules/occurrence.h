// One position in a bitext where a rule was extracted. It is small because it contains no words:
// the rule's symbols and its internal alignment are read from the bitext.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "demotic/base/hash.h"
#include "demotic/rules/packed_bitext.h"
#include "demotic/rules/symbols.h"

namespace demotic::rules {

// Orientation of a phrase relative to its neighbour on the target side (Tillmann 2004; word-based).
enum class Orientation : uint8_t { kMonotone, kSwap, kDiscontinuous };

inline Orientation orientation(bool monotone, bool swap) noexcept {
  if (monotone == swap) return Orientation::kDiscontinuous;
  return monotone ? Orientation::kMonotone : Orientation::kSwap;
}

// The span of a gap, relative to the beginning of its phrase.
struct Gap {
  uint8_t source_begin, source_size, target_begin, target_size;
};

// A position from which a rule can be read.
struct RulePlace {
  int32_t sentence;  // row of the bitext: a pair with a set of links
  uint16_t source_begin, target_begin;
  uint8_t source_size, target_size;
  uint8_t gap_count;
  uint8_t orientations;            // previous | next << 2
  std::array<Gap, kMaxGaps> gaps;  // in source order
};
static_assert(sizeof(RulePlace) == 20);

struct Occurrence : RulePlace {
  float count;
  uint64_t key;  // hashes of both sides, see `rule_key`

  Orientation previous() const noexcept { return static_cast<Orientation>(orientations & 3); }
  Orientation next() const noexcept { return static_cast<Orientation>(orientations >> 2); }
};
static_assert(sizeof(Occurrence) == 32);

inline constexpr int32_t kMaxPhraseSize = 255;

// A rule as symbols. Links join positions in `source` and `target`, including gaps, sorted.
struct Rule {
  std::vector<Symbol> source, target;
  std::vector<Link> links;

  void clear() {
    source.clear();
    target.clear();
    links.clear();
  }
};

// Reads the rule at a position into `rule`, reusing its memory.
void spell(const PackedBitext& bitext, const RulePlace& place, Rule& rule);

// A hash of the links of the rule, which differ between its occurrences; `scratch` is overwritten.
uint64_t hash_links(const PackedBitext& bitext, const RulePlace& place, Rule& scratch);

// One side of the rule: a view of the bitext if there are no gaps, else written to `buffer`.
std::span<const Symbol> source_symbols(const PackedBitext& bitext, const RulePlace& place,
                                       std::vector<Symbol>& buffer);
std::span<const Symbol> target_symbols(const PackedBitext& bitext, const RulePlace& place,
                                       std::vector<Symbol>& buffer);

// The hash of a side is extended from left to right, symbol by symbol.
inline constexpr uint64_t kEmptySide = 0x9e3779b97f4a7c15u;
constexpr uint64_t with_symbol(uint64_t hash, Symbol symbol) noexcept {
  return mix64(hash ^ static_cast<uint32_t>(symbol));
}

// The target side comes first, so that sorting by keys groups the occurrences of a rule and also
// the rules of a target side.
constexpr uint64_t rule_key(uint64_t source_hash, uint64_t target_hash) noexcept {
  return (target_hash & 0xffffffff00000000u) | source_hash >> 32;
}
constexpr uint32_t target_key(uint64_t rule_key) noexcept {
  return static_cast<uint32_t>(rule_key >> 32);
}
// The same, computed from the words.
uint64_t rule_key(const PackedBitext& bitext, const RulePlace& place) noexcept;

// A rule by the hashes of its sides, for counting only: two rules with one target side are taken
// for one if half of the hashes of their source sides are equal.
struct HashedRule {
  uint64_t target;
  uint32_t source;
  float count;
};
HashedRule hashed(const PackedBitext& bitext, const RulePlace& place) noexcept;

uint64_t hash_symbols(std::span<const Symbol> symbols, uint64_t seed = 0) noexcept;

}  // namespace demotic::rules
