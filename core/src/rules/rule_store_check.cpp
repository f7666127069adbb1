// Checks everything in a rule store that look-ups rely on, once, when a file is opened.
#include <algorithm>
#include <cmath>

#include "demotic/rules/rule_store.h"

namespace demotic::rules {

bool RuleStore::sound_sizes() const {
  const auto fits = [](auto values, size_t size) {
    return values.empty() || values.size() == size;
  };
  const auto counted = [](float count) { return count >= 0 && std::isfinite(count); };
  return !labels_.empty() && nodes_.size() >= 2 && rows_.size() % stride_ == 0 &&
         rows_.size() / stride_ <= kMaxRules && fits(lhs_, size()) && fits(counts_, size()) &&
         fits(source_counts_, nodes_.size() - 1) && std::ranges::none_of(target_words_, is_gap) &&
         std::ranges::all_of(lhs_, [&](uint16_t label) { return label < labels_.size(); }) &&
         std::ranges::all_of(source_counts_, counted) &&
         std::ranges::all_of(counts_, [&](float c) { return c == kAsOccurrences || counted(c); });
}

// Children come after their parents, sorted; rules of a node before those of its children.
bool RuleStore::sound_nodes() const {
  const auto end = static_cast<TrieNode>(nodes_.size() - 1);
  if (nodes_[0].first_child != 1 || nodes_[0].first_rule != 0 || nodes_[end].first_child != end ||
      nodes_[end].first_rule != size())
    return false;
  for (TrieNode node = 0; node < end; ++node) {
    const TrieNode begin = nodes_[node].first_child, last = nodes_[node + 1].first_child;
    if (begin <= node || begin > last || last > end) return false;
    uint32_t rule = nodes_[node].first_rule;
    if (rule > size() || (begin == last && node != kTrieRoot && rule == size())) return false;
    for (TrieNode child = begin; child < last; ++child) {
      if (child > begin && nodes_[child].symbol <= nodes_[child - 1].symbol) return false;
      if (nodes_[child].first_rule < rule) return false;
      rule = nodes_[child].first_rule;
    }
  }
  for (size_t word = 0; word < first_words_.size(); ++word) {
    const TrieNode node = first_words_[word];
    if (node >= nodes_[1].first_child) return false;
    if (node != 0 && nodes_[node].symbol != static_cast<Symbol>(word)) return false;
  }
  return std::ranges::all_of(children(kTrieRoot), [&](const StoredNode& node) {
    return is_gap(node.symbol) || child(kTrieRoot, node.symbol) != 0;
  });
}

// Every target is the start of a target side, and the last row is marked.
bool RuleStore::sound_rows() const {
  std::vector<bool> begins(targets_.size());
  const uint8_t* const end = targets_.data() + targets_.size();
  for (const uint8_t* at = targets_.data(); at != end;) {
    begins[at - targets_.data()] = true;
    at = checked_target(at, end, target_words_.size());
    if (at == nullptr) return false;
  }
  for (RuleId rule = 0; rule < size(); ++rule) {
    const uint32_t target = row(rule)[0];
    if (target >= begins.size() || !begins[target]) return false;
    if (row(rule)[2] == 0x80000000u) return false;  // this number of occurrences cannot be negated
  }
  return size() == 0 || (row(size() - 1)[1] & kLastOfNode);
}

// Every alignment offset is the start of an alignment, and no link reaches past the symbols of its
// rule. Requires valid nodes and rows.
bool RuleStore::sound_links() const {
  std::vector<bool> begins(links_.size());
  std::vector<RuleLink> needed(links_.size());  // symbols on both sides, by start of an alignment
  for (size_t i = 0, size = 0; i < links_.size(); i += 1 + size) {
    size = list_size(links_[i]);
    if (size >= links_.size() - i) return false;
    begins[i] = true;
    for (const RuleLink link : links_.subspan(i + 1, size)) {
      if (std::max(link.source, link.target) >= kMaxTargetSymbols) return false;
      needed[i].source = std::max<uint8_t>(needed[i].source, link.source + 1);
      needed[i].target = std::max<uint8_t>(needed[i].target, link.target + 1);
    }
  }
  size_t depth = 0;
  TrieNode level_end = 1;  // end of the nodes of this depth
  uint64_t seen = 0;       // every rule belongs to one node, so this is linear
  for (TrieNode node = 0; node < nodes(); ++node) {
    if (node == level_end) {
      level_end = nodes_[level_end].first_child;
      ++depth;
    }
    const RuleRange range = rules(node);
    seen += range.size();
    if (seen > size()) return false;
    for (RuleId rule = range.begin; rule < range.end; ++rule) {
      const uint32_t alignment = row(rule)[1] & ~kLastOfNode;
      if (alignment >= begins.size() || !begins[alignment]) return false;
      const RuleLink least = needed[alignment];
      if (least.source > depth || least.target > target(rule).size()) return false;
    }
  }
  return seen == size();
}

}  // namespace demotic::rules
