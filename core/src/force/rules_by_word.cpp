#include "demotic/force/rules_by_word.h"

#include <algorithm>

namespace demotic::force {
namespace {

uint32_t bit(WordId word) { return uint32_t{1} << (mix64(static_cast<uint64_t>(word)) & 31); }

}  // namespace

void RulesByWord::find(TrieNode node, std::span<const WordId> words, std::vector<RuleId>& found) {
  found.clear();
  const RuleRange range = rules_.rules(node);
  const auto keyed = range.size() < kMany ? std::nullopt : this->keyed(node, range);
  if (!keyed) {
    for (RuleId rule = range.begin; rule < range.end; ++rule) found.push_back(rule);
    return;
  }
  uint32_t others = UINT32_MAX;
  for (const WordId word : words) others &= ~bit(word);
  auto at = keyed->begin();
  while (at != keyed->end() && at->word < 0) found.push_back((at++)->rule);
  for (const WordId word : words) {
    at = std::lower_bound(at, keyed->end(), Keyed{word, 0, 0});
    for (; at != keyed->end() && at->word == word; ++at)
      if (!(at->words & others)) found.push_back(at->rule);
  }
  std::sort(found.begin(), found.end());
}

std::optional<std::span<const RulesByWord::Keyed>> RulesByWord::keyed(TrieNode node,
                                                                      RuleRange range) {
  const Place* known = places_.find(node);
  if (known == nullptr) {
    if (kept_.size() + range.size() > kMaxKept) return std::nullopt;
    const Place made{static_cast<uint32_t>(kept_.size()), range.size()};
    for (RuleId rule = range.begin; rule < range.end; ++rule) {
      Keyed one{-1, rule, 0};
      for (const Symbol symbol : rules_.target(rule)) {
        if (is_gap(symbol)) continue;
        one.word = std::max(one.word, symbol);
        one.words |= bit(symbol);
      }
      kept_.push_back(one);
    }
    std::sort(kept_.begin() + made.first, kept_.end());
    known = &(places_[node] = made);
  }
  return std::span(kept_).subspan(known->first, known->count);
}

}  // namespace demotic::force
