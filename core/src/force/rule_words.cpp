#include "demotic/force/rule_words.h"

#include <algorithm>

namespace demotic::force {
namespace {

constexpr int32_t kNoPair = -2, kManyPairs = -1;

int32_t joined(int32_t a, int32_t b) {
  if (a == kNoPair || b == kNoPair) return std::max(a, b);
  return a == b ? a : kManyPairs;
}

}  // namespace

RuleWords::RuleWords(const SearchModel& model)
    : model_(model), in_target_(model.vocabulary().size()) {
  for (const WordId word : model.rules().target_words()) in_target_[word] = true;
}

bool RuleWords::in_source(WordId word, int32_t pair) {
  if (only_pairs_.empty()) find_only_pairs();
  if (word >= static_cast<WordId>(only_pairs_.size())) return false;
  const int32_t only = only_pairs_[word];
  return only != kNoPair && (only < 0 || only != pair);
}

// Children have higher numbers than their parent, so a pass from the last node to the first knows
// the rules below each node.
void RuleWords::find_only_pairs() {
  const RuleStore& rules = model_.rules();
  only_pairs_.assign(model_.vocabulary().size(), kNoPair);
  std::vector<int32_t> below(rules.nodes(), kNoPair);
  for (TrieNode node = rules.nodes(); node-- > 0;) {
    int32_t& pair = below[node];
    const RuleRange range = rules.rules(node);
    for (RuleId rule = range.begin; rule < range.end && pair != kManyPairs; ++rule)
      pair = joined(pair, rules.only_sentence(rule));
    for (const StoredNode& child : rules.children(node)) {
      const int32_t from = below[rules.number(child)];
      pair = joined(pair, from);
      if (is_gap(child.symbol)) continue;
      only_pairs_[child.symbol] = joined(only_pairs_[child.symbol], from);
    }
  }
}

}  // namespace demotic::force
