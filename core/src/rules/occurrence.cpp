#include "demotic/rules/occurrence.h"

#include <algorithm>

namespace demotic::rules {
namespace {

constexpr int16_t kInsideGap = -1;

// The parameters that differ between the sides of an occurrence.
struct GapSide {
  uint8_t Gap::* begin;
  uint8_t Gap::* size;
  bool source;

  Symbol symbol(int32_t gap) const { return gap_symbol(source ? kLabelX : gap); }
};
constexpr GapSide kSourceGaps{&Gap::source_begin, &Gap::source_size, true};
constexpr GapSide kTargetGaps{&Gap::target_begin, &Gap::target_size, false};

std::span<const WordId> source_words(const PackedBitext& bitext, const RulePlace& o) {
  return bitext[o.sentence].source.subspan(o.source_begin, o.source_size);
}

std::span<const WordId> target_words(const PackedBitext& bitext, const RulePlace& o) {
  return bitext[o.sentence].target.subspan(o.target_begin, o.target_size);
}

// Calls word(i) for every word outside the gaps and gap(k, i) at the position of gap k, from left
// to right.
template <typename OnWord, typename OnGap>
void walk(const RulePlace& o, const GapSide& side, size_t words, OnWord&& word, OnGap&& gap) {
  for (size_t i = 0; i < words;) {
    int32_t k = 0;
    while (k < o.gap_count && o.gaps[k].*side.begin != i) ++k;
    if (k == o.gap_count) {
      word(i++);
    } else {
      gap(k, i);
      i += o.gaps[k].*side.size;
    }
  }
}

std::span<const Symbol> symbols(const RulePlace& o, const GapSide& side,
                                std::span<const WordId> words, std::vector<Symbol>& buffer) {
  if (o.gap_count == 0) return words;
  buffer.clear();
  walk(
      o, side, words.size(), [&](size_t i) { buffer.push_back(words[i]); },
      [&](int32_t k, size_t) { buffer.push_back(side.symbol(k)); });
  return buffer;
}

uint64_t hash_side(const RulePlace& o, const GapSide& side,
                   std::span<const WordId> words) noexcept {
  uint64_t hash = kEmptySide;
  walk(
      o, side, words.size(), [&](size_t i) { hash = with_symbol(hash, words[i]); },
      [&](int32_t k, size_t) { hash = with_symbol(hash, side.symbol(k)); });
  return hash;
}

// The symbols, and the index among them of each word (kInsideGap under a gap) and gap.
void spell_side(const RulePlace& o, const GapSide& side, std::span<const WordId> words,
                std::vector<Symbol>& out, std::span<int16_t> word_at, std::span<int16_t> gap_at) {
  std::fill_n(word_at.begin(), words.size(), kInsideGap);
  walk(
      o, side, words.size(),
      [&](size_t i) {
        word_at[i] = static_cast<int16_t>(out.size());
        out.push_back(words[i]);
      },
      [&](int32_t k, size_t) {
        gap_at[k] = static_cast<int16_t>(out.size());
        out.push_back(side.symbol(k));
      });
}

// Calls visit(source, target) for the links of a phrase, positions counted from its beginning.
template <typename Visit>
void for_each_link(const PackedBitext& bitext, const RulePlace& o, Visit&& visit) {
  const auto links = bitext[o.sentence].links;
  auto link = std::lower_bound(links.begin(), links.end(), PackedLink(o.source_begin, 0));
  for (; link != links.end() && link->source() < o.source_begin + o.source_size; ++link)
    visit(link->source() - o.source_begin, link->target() - o.target_begin);
}

void spell_phrase(const PackedBitext& bitext, const RulePlace& o, Rule& rule) {
  const auto source = source_words(bitext, o), target = target_words(bitext, o);
  rule.source.assign(source.begin(), source.end());
  rule.target.assign(target.begin(), target.end());
  for_each_link(bitext, o, [&](int32_t s, int32_t t) { rule.links.push_back({s, t}); });
}

}  // namespace

std::span<const Symbol> source_symbols(const PackedBitext& bitext, const RulePlace& place,
                                       std::vector<Symbol>& buffer) {
  return symbols(place, kSourceGaps, source_words(bitext, place), buffer);
}

std::span<const Symbol> target_symbols(const PackedBitext& bitext, const RulePlace& place,
                                       std::vector<Symbol>& buffer) {
  return symbols(place, kTargetGaps, target_words(bitext, place), buffer);
}

void spell(const PackedBitext& bitext, const RulePlace& place, Rule& rule) {
  rule.clear();
  if (place.gap_count == 0) return spell_phrase(bitext, place, rule);
  std::array<int16_t, 256> source_position, target_position;
  std::array<int16_t, kMaxGaps> source_gap{}, target_gap{};
  spell_side(place, kSourceGaps, source_words(bitext, place), rule.source, source_position,
             source_gap);
  spell_side(place, kTargetGaps, target_words(bitext, place), rule.target, target_position,
             target_gap);

  for_each_link(bitext, place, [&](int32_t source, int32_t target) {
    // A link leaves its phrase only with the gap it belongs to.
    if (source_position[source] != kInsideGap)
      rule.links.push_back({source_position[source], target_position[target]});
  });
  for (int32_t gap = 0; gap < place.gap_count; ++gap)
    rule.links.push_back({source_gap[gap], target_gap[gap]});
  std::sort(rule.links.begin(), rule.links.end());
}

uint64_t hash_links(const PackedBitext& bitext, const RulePlace& place, Rule& scratch) {
  uint64_t hash = kEmptySide;
  const auto add = [&](int32_t source, int32_t target) {
    hash = mix64(hash ^ (static_cast<uint64_t>(source) << 32 | static_cast<uint32_t>(target)));
  };
  if (place.gap_count == 0) {  // read directly from the bitext
    for_each_link(bitext, place, add);
    return hash;
  }
  spell(bitext, place, scratch);
  for (const Link link : scratch.links) add(link.source, link.target);
  return hash;
}

uint64_t rule_key(const PackedBitext& bitext, const RulePlace& o) noexcept {
  return rule_key(hash_side(o, kSourceGaps, source_words(bitext, o)),
                  hash_side(o, kTargetGaps, target_words(bitext, o)));
}

HashedRule hashed(const PackedBitext& bitext, const RulePlace& o) noexcept {
  const uint64_t source = hash_side(o, kSourceGaps, source_words(bitext, o));
  return {hash_side(o, kTargetGaps, target_words(bitext, o)), static_cast<uint32_t>(source >> 32),
          1.0f};
}

uint64_t hash_symbols(std::span<const Symbol> symbols, uint64_t seed) noexcept {
  uint64_t hash = seed + symbols.size();
  for (const Symbol symbol : symbols) hash = mix64(hash ^ static_cast<uint32_t>(symbol));
  return hash;
}

}  // namespace demotic::rules
