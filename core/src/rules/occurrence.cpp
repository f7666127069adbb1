#include "demotic/rules/occurrence.h"

#include <algorithm>

#include "demotic/base/hash.h"

namespace demotic {
namespace {

constexpr int kInsideGap = -1;

// Positions of a phrase's words in the rule, kInsideGap under a gap. `begin` and `size` choose the
// side of a gap; `symbol_of(k)` is what stands for gap k.
template <typename SymbolOf>
void spell_side(std::span<const WordId> words, const Occurrence& occurrence, uint8_t Gap::* begin,
                uint8_t Gap::* size, SymbolOf&& symbol_of, std::vector<Symbol>& symbols,
                std::span<int16_t> positions, std::span<int16_t> gap_positions) {
  size_t i = 0;
  while (i < words.size()) {
    int32_t gap = 0;
    while (gap < occurrence.gap_count && occurrence.gaps[gap].*begin != i) ++gap;
    if (gap == occurrence.gap_count) {
      positions[i++] = static_cast<int16_t>(symbols.size());
      symbols.push_back(words[i - 1]);
    } else {
      gap_positions[gap] = static_cast<int16_t>(symbols.size());
      symbols.push_back(symbol_of(gap));
      for (uint8_t k = 0; k < occurrence.gaps[gap].*size; ++k) positions[i++] = kInsideGap;
    }
  }
}

}  // namespace

void spell(const AlignedBitext& bitext, const Occurrence& occurrence, Rule& rule) {
  rule.clear();
  std::array<int16_t, 256> source_position, target_position;
  std::array<int16_t, kMaxGaps> source_gap{}, target_gap{};
  spell_side(
      bitext.source[occurrence.sentence].subspan(occurrence.source_begin, occurrence.source_size),
      occurrence, &Gap::source_begin, &Gap::source_size,
      [](int32_t) { return gap_symbol(kLabelX); }, rule.source, source_position, source_gap);
  spell_side(
      bitext.target[occurrence.sentence].subspan(occurrence.target_begin, occurrence.target_size),
      occurrence, &Gap::target_begin, &Gap::target_size,
      [](int32_t gap) { return gap_symbol(gap); }, rule.target, target_position, target_gap);

  const auto links = bitext.links[occurrence.sentence];
  const auto first = std::lower_bound(links.begin(), links.end(), Link{occurrence.source_begin, 0});
  for (auto link = first; link != links.end(); ++link) {
    const int32_t source = link->source - occurrence.source_begin;
    const int32_t target = link->target - occurrence.target_begin;
    if (source >= occurrence.source_size) break;
    // A link leaves its phrase only with the gap it belongs to.
    if (source_position[source] == kInsideGap) continue;
    rule.links.push_back({source_position[source], target_position[target]});
  }
  for (int32_t gap = 0; gap < occurrence.gap_count; ++gap)
    rule.links.push_back({source_gap[gap], target_gap[gap]});
  if (occurrence.gap_count > 0) std::sort(rule.links.begin(), rule.links.end());
}

uint64_t hash_symbols(std::span<const Symbol> symbols, uint64_t seed) noexcept {
  uint64_t hash = seed + symbols.size();
  for (const Symbol symbol : symbols) hash = mix64(hash ^ static_cast<uint32_t>(symbol));
  return hash;
}

}  // namespace demotic
