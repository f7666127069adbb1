// One step of a derivation, for phrases and Hiero alike.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "demotic/features/dense/step.h"
#include "demotic/search/search_model.h"

namespace demotic::search {

// A rule, or a special step (see RuleStep), applied to [begin, end).
struct Step {
  RuleId rule;
  int32_t begin, end;
};

// The hypotheses of a derivation. Hiero: heads before their tails, tails in source order. Phrases:
// in the order of the translation, without the empty hypothesis.
template <typename Search>
void derivation_of(const Search& search, uint32_t top, std::vector<uint32_t>& nodes) {
  nodes.clear();
  std::vector<uint32_t> open;
  if (!Search::is_start(top)) open.push_back(top);
  while (!open.empty()) {
    const uint32_t next = open.back();
    open.pop_back();
    nodes.push_back(next);
    const auto& tails = search.hypotheses()[next].edge.tails;
    for (auto tail = tails.rbegin(); tail != tails.rend(); ++tail)
      if (!Search::is_start(*tail)) open.push_back(*tail);
  }
  if constexpr (Search::Edge::kTails == 1) std::reverse(nodes.begin(), nodes.end());
}

// Appends the yield of a derivation, where choice(item) returns the edge and the head of an item,
// and tail(item, i) the item of its tail i.
template <typename Steps, typename Item, typename Choice, typename Tail>
void append_yield(const Steps& steps, Item top, Choice&& choice, Tail&& tail,
                  std::vector<WordId>& words) {
  struct Open {
    Symbol word;
    Item item;  // if the word is a gap
  };
  std::vector<Open> open{{gap_symbol(0), top}};
  std::vector<Symbol> symbols;
  while (!open.empty()) {
    const Open next = open.back();
    open.pop_back();
    if (!is_gap(next.word)) {
      words.push_back(next.word);
      continue;
    }
    const auto [edge, head] = choice(next.item);
    symbols.clear();
    steps.append_target(edge, head, symbols);
    for (auto symbol = symbols.rbegin(); symbol != symbols.rend(); ++symbol)
      open.push_back({*symbol, is_gap(*symbol) ? tail(next.item, gap_index(*symbol)) : next.item});
  }
}

// Appends the yield of the best derivation of a hypothesis.
template <typename Steps>
void append_yield(const Steps& steps, uint32_t top, std::vector<WordId>& words) {
  if (Steps::Search::is_start(top)) return;
  const auto hypotheses = steps.search().hypotheses();
  append_yield(
      steps, top, [&](uint32_t node) { return std::pair(hypotheses[node].edge, node); },
      [&](uint32_t node, int i) { return hypotheses[node].edge.tails[i]; }, words);
}

}  // namespace demotic::search
