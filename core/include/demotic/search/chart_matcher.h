// Matches source sides with gaps against a sentence and what its spans have been parsed to: the
// dotted items of CKY over a trie (Chiang 2007). An item stands in a node of the trie, began at
// some word, and has met up to two gaps; it is made once, from the item before it.
//
// Used from the last word of a sentence to the first: for each begin, ends in rising order, so
// that all spans inside are known.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "demotic/search/hiero_model.h"

namespace demotic::search {

// A source side that was found on a span: its node, and the groups that fill its gaps.
struct ChartMatch {
  TrieNode node;
  std::array<uint32_t, kMaxGaps> tails;
};

// The groups of a span, one a nonterminal that it has.
struct ChartCell {
  uint32_t first = 0, count = 0;
};

class ChartMatcher {
 public:
  // label(group) is the nonterminal of a group.
  ChartMatcher(const HieroModel& model) : rules_(model.rules()) {}

  void begin(int32_t word);
  // All matches of [begin, end), given the groups of the spans that end there and begin later:
  // cell(k) for [k, end). `labels` has the nonterminal of each group.
  template <typename CellOf>
  std::span<const ChartMatch> matches(int32_t end, WordId last_word, CellOf&& cell,
                                      std::span<const int32_t> labels);
  // The groups of [begin, end) itself are known now: source sides may begin with them.
  void add_first_gaps(int32_t end, ChartCell cell, std::span<const int32_t> labels);

 private:
  struct Item {
    TrieNode node;
    std::array<uint32_t, kMaxGaps> tails;
    uint32_t gaps;
  };
  // An item that may be followed by a gap of the nonterminal.
  struct Waiting {
    TrieNode child;
    int32_t label;
    std::array<uint32_t, kMaxGaps> tails;
    uint32_t gaps;
  };
  void add(int32_t end, const Item& item);

  const RuleStore& rules_;
  int32_t begin_ = 0;
  // By end, from begin_.
  std::vector<std::vector<Item>> items_;
  std::vector<std::vector<Waiting>> waiting_;
  std::vector<ChartMatch> matches_;
};

template <typename CellOf>
std::span<const ChartMatch> ChartMatcher::matches(int32_t end, WordId last_word, CellOf&& cell,
                                                  std::span<const int32_t> labels) {
  const size_t place = end - begin_;
  if (items_.size() <= place) items_.resize(place + 1), waiting_.resize(place + 1);
  items_[place].clear();
  waiting_[place].clear();
  for (size_t i = 0; i < items_[place - 1].size(); ++i) {
    const Item item = items_[place - 1][i];
    if (const TrieNode child = rules_.child(item.node, last_word))
      add(end, {child, item.tails, item.gaps});
  }
  for (size_t k = 1; k < place; ++k) {
    if (waiting_[k].empty()) continue;
    const ChartCell groups = cell(begin_ + static_cast<int32_t>(k));
    for (const Waiting& one : waiting_[k])
      for (uint32_t group = groups.first; group < groups.first + groups.count; ++group) {
        if (labels[group] != one.label) continue;
        Item item{one.child, one.tails, one.gaps + 1};
        item.tails[one.gaps] = group;
        add(end, item);
      }
  }
  matches_.clear();
  for (const Item& item : items_[place])
    if (rules_.has_rules(item.node)) matches_.push_back({item.node, item.tails});
  return matches_;
}

}  // namespace demotic::search
