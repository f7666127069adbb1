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
  rules_.for_each_gap(item.node, [&](int32_t label, TrieNode child) {
    waiting_[end - begin_].push_back({child, label, item.tails, item.gaps});
  });
}

void ChartMatcher::add_first_gaps(int32_t end, ChartCell cell, std::span<const int32_t> labels) {
  for (uint32_t bin = cell.first; bin < cell.first + cell.count; ++bin)
    if (const TrieNode child = rules_.child(kTrieRoot, gap_symbol(labels[bin])))
      add(end, {child, {bin, kNone}, 1});
}

}  // namespace demotic::search
