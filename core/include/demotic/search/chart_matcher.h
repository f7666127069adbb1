// Matches source sides with gaps against a sentence and its parsed spans: the dotted items of CKY
// parsing over a trie (Chiang 2007). An item is a node of the trie, a start position and up to two
// matched gaps; it is created once, from its predecessor.
//
// Processes a sentence from the last word to the first, and for each begin the ends in ascending
// order, so that all spans inside a span are known.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "demotic/search/hiero_model.h"

namespace demotic::search {

// A source side that matches a span: its trie node, and the bins that fill its gaps.
struct ChartMatch {
  TrieNode node;
  std::array<uint32_t, kMaxGaps> tails;
};

// The bins of a span, one per nonterminal.
struct ChartCell {
  uint32_t first = 0, count = 0;
};

class ChartMatcher {
 public:
  ChartMatcher(const HieroModel& model) : rules_(model.rules()) {}

  void begin(int32_t word);
  // All matches of [begin, end), given the bins of the later spans with the same end: cell(k) for
  // [k, end). `labels` has the nonterminal of each bin.
  template <typename CellOf>
  std::span<const ChartMatch> matches(int32_t end, WordId last_word, CellOf&& cell,
                                      std::span<const int32_t> labels);
  // Call once the bins of [begin, end) are known: source sides may begin with them.
  void add_first_gaps(int32_t end, ChartCell cell, std::span<const int32_t> labels);

 private:
  struct Item {
    TrieNode node;
    std::array<uint32_t, kMaxGaps> tails;
    uint32_t gaps;
  };
  // An item that can be continued with a gap of the nonterminal.
  struct Waiting {
    TrieNode child;
    int32_t label;
    std::array<uint32_t, kMaxGaps> tails;
    uint32_t gaps;
  };
  void add(int32_t end, const Item& item);

  const RuleStore& rules_;
  int32_t begin_ = 0;
  // By end position, starting at begin_.
  std::vector<std::vector<Item>> items_;
  std::vector<std::vector<Waiting>> waiting_;
  std::vector<ChartMatch> matches_;
};

template <typename CellOf>
std::span<const ChartMatch> ChartMatcher::matches(int32_t end, WordId last_word, CellOf&& cell,
                                                  std::span<const int32_t> labels) {
  const size_t width = end - begin_;
  if (items_.size() <= width) items_.resize(width + 1), waiting_.resize(width + 1);
  items_[width].clear();
  waiting_[width].clear();
  for (size_t i = 0; i < items_[width - 1].size(); ++i) {
    const Item item = items_[width - 1][i];
    if (const TrieNode child = rules_.child(item.node, last_word))
      add(end, {child, item.tails, item.gaps});
  }
  for (size_t k = 1; k < width; ++k) {
    if (waiting_[k].empty()) continue;
    const ChartCell bins = cell(begin_ + static_cast<int32_t>(k));
    for (const Waiting& one : waiting_[k])
      for (uint32_t bin = bins.first; bin < bins.first + bins.count; ++bin) {
        if (labels[bin] != one.label) continue;
        Item item{one.child, one.tails, one.gaps + 1};
        item.tails[one.gaps] = bin;
        add(end, item);
      }
  }
  matches_.clear();
  for (const Item& item : items_[width])
    if (rules_.has_rules(item.node)) matches_.push_back({item.node, item.tails});
  return matches_;
}

}  // namespace demotic::search
