#include "demotic/rules/rule_store.h"

#include <algorithm>

#include "demotic/base/errors.h"
#include "rule_store_format.h"

namespace demotic {
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
  store.targets_ = {container->section<uint32_t>("target_offsets"),
                    container->section<Symbol>("targets")};
  store.target_counts_ = container->section<float>("target_counts");
  store.links_ = {container->section<uint32_t>("link_offsets"),
                  container->section<RuleLink>("links")};
  store.lhs_ = container->section<uint16_t>("lhs");
  store.counts_ = container->section<float>("counts");
  store.score_names_ = split_lines(container->section<char>("score_names"));
  store.labels_ = split_lines(container->section<char>("labels"));
  store.stride_ = kRowHead + store.score_names_.size();
  store.bytes_ = container->size_bytes();
  store.owner_ = container;
  if (verify) store.check(path);
  return store;
}

// Everything that a look-up trusts. Goes with verification: whoever skips the checksums of a huge
// file trusts its writer.
void RuleStore::check(const std::string& path) const {
  bool sound = !labels_.empty() && nodes_.size() >= 2 && nodes_[0].first_child == 1 &&
               rows_.size() % stride_ == 0 && well_formed(targets_) && well_formed(links_) &&
               target_counts_.size() == targets_.size() &&
               (lhs_.empty() || lhs_.size() == size()) &&
               (counts_.empty() || counts_.size() == size());
  for (size_t i = 0; sound && i + 1 < nodes_.size(); ++i) {
    sound = nodes_[i].first_child > i && nodes_[i + 1].first_child >= nodes_[i].first_child &&
            nodes_[i + 1].first_child < nodes_.size() &&
            (nodes_[i].first_rule == kNoRule || nodes_[i].first_rule < size());
  }
  sound = sound && nodes_.back().first_child == nodes_.size() - 1;
  for (size_t i = 0; sound && i < first_words_.size(); ++i) {
    const TrieNode node = first_words_[i];
    sound = node < nodes_[1].first_child &&
            (node == 0 || nodes_[node].symbol == static_cast<Symbol>(i));
  }
  for (RuleId rule = 0; sound && rule < size(); ++rule)
    sound = target_id(rule) < targets_.size() && row(rule)[1] < links_.size();
  sound = sound && (size() == 0 || (row(size() - 1)[0] & kLastOfNode));
  for (size_t i = 0; sound && i < lhs_.size(); ++i) sound = lhs_[i] < labels_.size();
  if (!sound) {
    throw FormatError({.path = path,
                       .found = "arrays that contradict each other",
                       .expected = "a rule store",
                       .advice = "build the file anew"});
  }
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
  if (begin == kNoRule) return {};
  RuleId end = begin;
  while (!(row(end++)[0] & kLastOfNode)) {
  }
  return {begin, end};
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

}  // namespace demotic
