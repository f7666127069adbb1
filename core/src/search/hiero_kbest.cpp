#include "demotic/search/hiero_kbest.h"

#include <algorithm>

#include "demotic/search/hiero_derivation.h"

namespace demotic::search {

void HieroKBest::reset(HieroSearch& search) {
  search_ = &search;
  numbers_.clear();
  lists_.clear();
}

HieroKBest::List& HieroKBest::list_of(uint32_t hypothesis) {
  const auto [number, fresh] = numbers_.insert(hypothesis);
  if (!fresh) return lists_[number];
  number = static_cast<uint32_t>(lists_.size());
  lists_.emplace_back();
  List& list = lists_.back();
  add_ways(hypothesis, list);
  return list;
}

// Every way to reach the hypothesis, with the best derivations of its tails. The search has kept
// the best way's score alone; the others' are put together again.
void HieroKBest::add_ways(uint32_t number, List& list) {
  const HieroHypothesis& hypothesis = search_->hypotheses()[number];
  list.waiting.push_back({hypothesis.score, hypothesis.option, hypothesis.tails, {}});
  for (uint32_t arc = hypothesis.arc; arc != kNone; arc = search_->arcs()[arc].next)
    add_way(list, search_->arcs()[arc].option, search_->arcs()[arc].tails);
}

void HieroKBest::add_way(List& list, uint32_t option, const std::array<uint32_t, kMaxGaps>& tails) {
  const HieroOption& used = search_->options()[option];
  float score = used.score;
  for (const uint32_t tail : tails)
    if (tail != kNone) score += search_->hypotheses()[tail].score;
  search_->lm().clear_candidates();
  score += search_->lm().combine(used.target, tails, used.rule == HieroOption::kGlueFirst);
  list.waiting.push_back({score, option, tails, {}});
}

const HieroKBest::Derivation* HieroKBest::find(uint32_t hypothesis, uint32_t rank) {
  list_of(hypothesis);
  const uint32_t number = *numbers_.find(hypothesis);
  while (lists_[number].found.size() <= rank) {
    if (lists_[number].extended < lists_[number].found.size()) {
      extend(number);
      continue;
    }
    List& list = lists_[number];
    if (list.waiting.empty()) return nullptr;
    // The first of equals, so that ties are decided by the order of the search.
    const auto best = std::ranges::max_element(list.waiting, {}, &Derivation::score);
    list.found.push_back(*best);
    list.waiting.erase(best);
  }
  return &lists_[number].found[rank];
}

// The neighbours of the last one found: one tail takes its next derivation. A neighbour is made
// from the one derivation that has the same ranks but for its last positive one.
void HieroKBest::extend(uint32_t number) {
  const Derivation last = lists_[number].found[lists_[number].extended++];
  for (int i = kMaxGaps; i-- > 0;) {
    if (last.tails[i] != kNone) {
      Derivation next = last;
      const float before = find(last.tails[i], last.ranks[i])->score;
      if (const Derivation* tail = find(last.tails[i], ++next.ranks[i])) {
        next.score += tail->score - before;
        lists_[number].waiting.push_back(next);
      }
    }
    if (last.ranks[i] > 0) break;
  }
}

void HieroKBest::append_words(const HieroModel& model, uint32_t hypothesis, uint32_t rank,
                              std::span<const WordId> source, std::vector<WordId>& words) {
  const Derivation derivation = *find(hypothesis, rank);
  std::vector<Symbol> symbols;
  append_target(model, *search_, derivation.option, source[search_->group_of(hypothesis).begin],
                symbols);
  for (const Symbol symbol : symbols) {
    if (!is_gap(symbol)) {
      words.push_back(symbol);
      continue;
    }
    const int gap = gap_index(symbol);
    append_words(model, derivation.tails[gap], derivation.ranks[gap], source, words);
  }
}

}  // namespace demotic::search
