#include "demotic/rules/rule_store.h"

#include <algorithm>

#include "demotic/base/errors.h"
#include "demotic/rules/gap_reordering.h"
#include "rule_store_format.h"

namespace demotic::rules {
namespace {

std::vector<std::string> split_lines(std::span<const char> bytes) {
  std::vector<std::string> result;
  auto begin = bytes.begin();
  for (auto it = bytes.begin(); it != bytes.end(); ++it) {
    if (*it != '\n') continue;
    result.emplace_back(begin, it);
    begin = it + 1;
  }
  return result;
}

}  // namespace

RuleStore RuleStore::open(const std::string& path, bool verify, const StopFlag& stop) {
  auto container = std::make_shared<const Container>(path, kRulesKind, kRulesVersion);
  if (verify) container->verify(stop);
  RuleStore store;
  store.nodes_ = container->section<StoredNode>("nodes");
  store.first_words_ = container->section<TrieNode>("first_words");
  store.rows_ = container->section<uint32_t>("rules");
  store.targets_ = container->section<uint8_t>("targets");
  store.target_words_ = container->section<WordId>("target_words");
  store.links_ = container->section<RuleLink>("links");
  store.lhs_ = container->section<uint16_t>("lhs");
  store.counts_ = container->section<float>("counts");
  store.source_counts_ = container->section<float>("source_counts");
  store.score_names_ = split_lines(container->section<char>("score_names"));
  store.labels_ = split_lines(container->section<char>("labels"));
  store.stride_ = kRowHead + store.score_names_.size();
  store.bytes_ = container->size_bytes();
  store.owner_ = container;
  // Part of verification: a caller that skips the checksums of a huge file trusts its writer.
  const bool sound = !verify || (store.sound_sizes() && store.sound_nodes() && store.sound_rows() &&
                                 store.sound_links());
  if (!sound) {
    throw FormatError({.path = path,
                       .found = "inconsistent arrays",
                       .expected = "a rule store",
                       .advice = "build the file again"});
  }
  return store;
}

TrieNode RuleStore::child(TrieNode node, Symbol symbol) const noexcept {
  if (node == kTrieRoot && !is_gap(symbol))
    return static_cast<size_t>(symbol) < first_words_.size() ? first_words_[symbol] : 0;
  const auto range = children(node);
  const auto found = std::lower_bound(range.begin(), range.end(), symbol,
                                      [](const StoredNode& n, Symbol s) { return n.symbol < s; });
  if (found == range.end() || found->symbol != symbol) return 0;
  return nodes_[node].first_child + static_cast<TrieNode>(found - range.begin());
}

RuleRange RuleStore::rules(TrieNode node) const noexcept {
  const RuleId begin = nodes_[node].first_rule;
  // A node's own rules end where those of its children begin.
  if (!is_leaf(node)) return {begin, nodes_[nodes_[node].first_child].first_rule};
  if (node == kTrieRoot) return {};
  RuleId end = begin;
  while (!(row(end++)[1] & kLastOfNode)) {
  }
  return {begin, end};
}

uint8_t RuleStore::reordered_gaps(RuleId rule) const noexcept {
  const std::span<const RuleLink> all = links(rule);
  uint8_t reordered = 0;
  size_t position = 0;
  for (const Symbol symbol : target(rule)) {
    const size_t at = position++;
    if (!is_gap(symbol)) continue;
    const auto own = std::ranges::find(all, at, &RuleLink::target);
    if (own != all.end() && is_crossed(*own, all)) reordered |= uint8_t(1u << gap_index(symbol));
  }
  return reordered;
}

float RuleStore::source_count(TrieNode node) const noexcept {
  if (!source_counts_.empty()) return source_counts_[node];
  const RuleRange range = rules(node);
  double sum = 0;
  for (RuleId rule = range.begin; rule < range.end; ++rule) sum += count(rule);
  return static_cast<float>(sum);
}

void match_phrases(const RuleStore& store, std::span<const WordId> words,
                   std::vector<RuleMatch>& matches) {
  const auto size = static_cast<int32_t>(words.size());
  for (int32_t begin = 0; begin < size; ++begin) {
    TrieNode node = kTrieRoot;
    for (int32_t end = begin; end < size; ++end) {
      node = store.child(node, words[end]);
      if (node == 0) break;
      const RuleRange rules = store.rules(node);
      if (rules.size() > 0) matches.push_back({begin, end + 1, rules});
    }
  }
}

}  // namespace demotic::rules
