#include "demotic/rules/rule_store.h"

#include <algorithm>

#include "demotic/base/errors.h"
#include "demotic/rules/bitext_index.h"
#include "demotic/rules/gap_reordering.h"
#include "on_demand_rules.h"
#include "rule_store_format.h"
#include "text_section.h"

namespace demotic::rules {
RuleStore RuleStore::open(const std::string& path, bool verify, const StopFlag& stop,
                          std::span<const std::string> added) {
  if (BitextIndex::is_index(path)) {
    std::vector<BitextIndex> indices{BitextIndex::open(path, verify, stop)};
    for (const std::string& more : added) indices.push_back(BitextIndex::open(more, verify, stop));
    return RuleStore(std::make_shared<OnDemandRules>(std::move(indices)));
  }
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

RuleStore::RuleStore(std::shared_ptr<OnDemandRules> demand)
    : rows_(demand->rules().rows()),
      stride_(demand->rules().stride()),
      targets_(demand->rules().targets()),
      target_words_(demand->rules().target_words()),
      links_(demand->rules().links()),
      counts_(demand->rules().counts()),
      score_names_(demand->score_names()),
      labels_({"X", "S"}),
      bytes_(demand->index_bytes()),
      demand_(std::move(demand)) {}

void RuleStore::prepare(std::span<const std::span<const WordId>> sentences, int32_t span_limit,
                        int threads, const StopFlag& stop) const {
  if (demand_) demand_->prepare(sentences, span_limit, threads, stop);
}

RuleId RuleStore::most() const noexcept { return demand_ ? GrowingRules::kMostRules : size(); }

int64_t RuleStore::pairs() const noexcept { return demand_ ? demand_->pairs() : 0; }

RuleId RuleStore::demanded() const noexcept { return demand_->rules().size(); }

TrieNode RuleStore::nodes() const noexcept {
  return demand_ ? demand_->rules().nodes() : static_cast<TrieNode>(nodes_.size() - 1);
}

std::vector<WordId> RuleStore::first_words() const {
  if (demand_) return demand_->first_words();
  std::vector<WordId> words;
  for (const StoredNode& node : children(kTrieRoot))
    if (!is_gap(node.symbol)) words.push_back(node.symbol);
  return words;
}

TrieNode RuleStore::child(TrieNode node, Symbol symbol) const noexcept {
  if (demand_) return demand_->rules().child(node, symbol);
  if (node == kTrieRoot && !is_gap(symbol))
    return static_cast<size_t>(symbol) < first_words_.size() ? first_words_[symbol] : 0;
  const auto range = children(node);
  const auto found = std::lower_bound(range.begin(), range.end(), symbol,
                                      [](const StoredNode& n, Symbol s) { return n.symbol < s; });
  if (found == range.end() || found->symbol != symbol) return 0;
  return nodes_[node].first_child + static_cast<TrieNode>(found - range.begin());
}

RuleRange RuleStore::rules(TrieNode node) const noexcept {
  if (demand_) return demand_->rules().rules(node);
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
  if (demand_) return demand_->rules().source_count(node);
  if (!source_counts_.empty()) return source_counts_[node];
  const RuleRange range = rules(node);
  double sum = 0;
  for (RuleId rule = range.begin; rule < range.end; ++rule) sum += count(rule);
  return static_cast<float>(sum);
}

void RuleStore::match(std::span<const WordId> words, std::vector<RuleMatch>& matches) const {
  const auto size = static_cast<int32_t>(words.size());
  for (int32_t begin = 0; begin < size; ++begin) {
    TrieNode node = kTrieRoot;
    for (int32_t end = begin; end < size; ++end) {
      node = child(node, words[end]);
      if (node == 0) break;
      const RuleRange range = rules(node);
      if (range.size() > 0) matches.push_back({begin, end + 1, range});
    }
  }
}

}  // namespace demotic::rules
