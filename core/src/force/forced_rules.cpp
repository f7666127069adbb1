#include "demotic/force/forced_rules.h"

#include <algorithm>

namespace demotic::force {

void ForcedRules::begin(std::span<const WordId> reference, int32_t pair) {
  reference_.begin(reference, pair);
  distinct_.assign(reference.begin(), reference.end());
  std::ranges::sort(distinct_);
  const auto repeated = std::ranges::unique(distinct_);
  distinct_.erase(repeated.begin(), repeated.end());
  by_node_.clear();
  made_.clear();
  words_.clear();
  positions_.clear();
}

std::span<const ForcedRule> ForcedRules::of(TrieNode node) {
  const auto [range, fresh] = by_node_.insert(node);
  if (fresh) {
    range.first = static_cast<uint32_t>(made_.size());
    by_word_.find(node, distinct_, found_);
    for (const RuleId rule : found_) add(rule);
    range.count = static_cast<uint32_t>(made_.size()) - range.first;
  }
  return std::span(made_).subspan(range.first, range.count);
}

void ForcedRules::add(RuleId rule) {
  ForcedRule made{.rule = rule, .lhs = 0, .words = static_cast<uint32_t>(words_.size())};
  if (!split(rule, made) || !in_order(made) || !reference_.usable(rule)) {
    words_.resize(made.words);
    return;
  }
  made.lhs = rules_.lhs(rule);
  if (made.arity == 0) {
    made.first = static_cast<uint32_t>(positions_.size());
    reference_.for_each_position(std::span(words_).subspan(made.words), [&](int32_t at) {
      positions_.push_back(static_cast<uint16_t>(at));
    });
    made.count = static_cast<uint32_t>(positions_.size()) - made.first;
  }
  made_.push_back(made);
}

// False if a word is not in the reference: most rules end here.
bool ForcedRules::split(RuleId rule, ForcedRule& made) {
  for (const Symbol symbol : rules_.target(rule)) {
    if (!is_gap(symbol)) {
      if (reference_.first(symbol) < 0) return false;
      words_.push_back(symbol);
      ++made.sizes[made.arity];
      continue;
    }
    if (made.arity == kMaxGaps) return false;
    made.gaps[made.arity++] = static_cast<uint8_t>(gap_index(symbol));
  }
  // A forged store may have other gaps than 0, or 0 and 1.
  return made.arity == 0 ||
         (made.arity == 1 ? made.gaps[0] == 0 : made.gaps[0] + made.gaps[1] == 1);
}

// Whether the words between gaps follow each other in the reference, each as early as possible.
bool ForcedRules::in_order(const ForcedRule& made) const noexcept {
  uint32_t words = made.words;
  int32_t from = 0;
  for (int32_t i = 0; i <= made.arity; ++i) {
    const int32_t size = made.sizes[i];
    if (size == 0) continue;
    int32_t at = reference_.first(words_[words]);
    while (at >= 0 && (at < from || !has(words, size, at))) at = reference_.next(at);
    if (at < 0) return false;
    from = at + size;
    words += size;
  }
  return true;
}

}  // namespace demotic::force
