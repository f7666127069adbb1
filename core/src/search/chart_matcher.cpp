#include "demotic/search/chart_matcher.h"

namespace demotic::search {

void ChartMatcher::begin(int32_t word) {
  begin_ = word;
  if (items_.empty()) items_.resize(1), waiting_.resize(1);
  items_[0].assign(1, {kTrieRoot, {kNone, kNone}, 0});
  waiting_[0].clear();
}

void ChartMatcher::add(int32_t end, const Item& item) {
  items_[end - begin_].push_back(item);
  if (item.gaps == kMaxGaps) return;
  // Gaps are negative, so they are sorted before all words.
  for (const StoredNode& child : rules_.children(item.node)) {
    if (!is_gap(child.symbol)) break;
    waiting_[end - begin_].push_back(
        {rules_.number(child), gap_index(child.symbol), item.tails, item.gaps});
  }
}

void ChartMatcher::add_first_gaps(int32_t end, ChartCell cell, std::span<const int32_t> labels) {
  for (uint32_t bin = cell.first; bin < cell.first + cell.count; ++bin)
    if (const TrieNode child = rules_.child(kTrieRoot, gap_symbol(labels[bin])))
      add(end, {child, {bin, kNone}, 1});
}

}  // namespace demotic::search
