#include "demotic/force/forced_rules.h"

#include <algorithm>
#include <utility>

namespace demotic::force {

void ForcedRules::begin(std::span<const WordId> reference, int32_t pair) {
  for (const WordId word : reference_) heads_[word] = -1;
  reference_.assign(reference.begin(), reference.end());
  distinct_ = reference_;
  std::ranges::sort(distinct_);
  const auto again = std::ranges::unique(distinct_);
  distinct_.erase(again.begin(), again.end());
  pair_ = pair;
  by_node_.clear();
  made_.clear();
  words_.clear();
  places_.clear();
  next_.resize(reference.size());
  for (auto place = static_cast<int32_t>(reference.size()); place-- > 0;) {
    const WordId word = reference[place];
    if (heads_.size() <= static_cast<size_t>(word)) heads_.resize(size_t(word) + 1, -1);
    next_[place] = std::exchange(heads_[word], place);
  }
}

std::span<const ForcedRule> ForcedRules::of(TrieNode node) {
  const auto [place, fresh] = by_node_.insert(node);
  if (fresh) {
    place.first = static_cast<uint32_t>(made_.size());
    by_word_.find(node, distinct_, found_);
    for (const RuleId rule : found_) add(rule);
    place.count = static_cast<uint32_t>(made_.size()) - place.first;
  }
  return std::span(made_).subspan(place.first, place.count);
}

bool ForcedRules::usable(TrieNode node) const noexcept {
  const RuleRange range = rules_.rules(node);
  for (RuleId rule = range.begin; rule < range.end; ++rule)
    if (!left_out(rule)) return true;
  return false;
}

void ForcedRules::add(RuleId rule) {
  ForcedRule made{.rule = rule, .lhs = 0, .words = static_cast<uint32_t>(words_.size())};
  if (!split(rule, made) || !in_order(made) || left_out(rule)) {
    words_.resize(made.words);
    return;
  }
  made.lhs = rules_.lhs(rule);
  if (made.arity == 0) find_places(made);
  made_.push_back(made);
}

// False if a word does not stand in the reference: most rules end here.
bool ForcedRules::split(RuleId rule, ForcedRule& made) {
  for (const Symbol symbol : rules_.target(rule)) {
    if (!is_gap(symbol)) {
      if (first_place(symbol) < 0) return false;
      words_.push_back(symbol);
      ++made.sizes[made.arity];
      continue;
    }
    const auto gap = static_cast<uint8_t>(gap_index(symbol));
    // Stores may be forged: a gap that is there twice has no meaning.
    if (made.arity == kMaxGaps || (made.arity == 1 && made.gaps[0] == gap)) return false;
    made.gaps[made.arity++] = gap;
  }
  return true;
}

// Whether the words between gaps stand one behind the other, each as early as possible.
bool ForcedRules::in_order(const ForcedRule& made) const noexcept {
  uint32_t words = made.words;
  int32_t from = 0;
  for (int32_t i = 0; i <= made.arity; ++i) {
    const int32_t size = made.sizes[i];
    if (size == 0) continue;
    int32_t place = first_place(words_[words]);
    while (place >= 0 && (place < from || !stand(words, size, place))) place = next_[place];
    if (place < 0) return false;
    from = place + size;
    words += size;
  }
  return true;
}

void ForcedRules::find_places(ForcedRule& made) {
  made.first = static_cast<uint32_t>(places_.size());
  const int32_t size = made.sizes[0];
  if (size == 0)
    for (size_t place = 0; place <= reference_.size(); ++place)
      places_.push_back(static_cast<uint16_t>(place));
  else
    for (int32_t at = first_place(words_[made.words]); at >= 0; at = next_[at])
      if (stand(made.words, size, at)) places_.push_back(static_cast<uint16_t>(at));
  made.count = static_cast<uint32_t>(places_.size()) - made.first;
}

}  // namespace demotic::force
