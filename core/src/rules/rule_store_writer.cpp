#include "demotic/rules/rule_store_writer.h"

#include <algorithm>
#include <stdexcept>

#include "demotic/base/errors.h"
#include "demotic/base/hash.h"
#include "rule_store_format.h"

namespace demotic {

RuleStoreWriter::RuleStoreWriter(const std::string& path, std::vector<std::string> score_names,
                                 std::vector<std::string> labels)
    : container_(path, kRulesKind, kRulesVersion),
      score_names_(std::move(score_names)),
      labels_(std::move(labels)) {
  container_.begin_section("targets", sizeof(Symbol));
}

uint32_t RuleStoreWriter::add_target(std::span<const Symbol> symbols, float count) {
  if (writing_rules_) throw std::invalid_argument("a target side after the first rule");
  const uint64_t end = uint64_t{target_offsets_.back()} + symbols.size();
  if (end > UINT32_MAX || target_counts_.size() >= RuleStore::kLastOfNode) {
    throw ModelError({.found = "more than 4 billion words on the target sides of rules",
                      .expected = "a smaller rule table",
                      .advice = "give --min-count 2 or a smaller --max-phrase"});
  }
  container_.append(symbols);
  target_offsets_.push_back(static_cast<uint32_t>(end));
  target_counts_.push_back(count);
  return static_cast<uint32_t>(target_counts_.size() - 1);
}

void RuleStoreWriter::finish_targets() {
  writing_rules_ = true;
  container_.section("target_offsets", std::span<const uint32_t>(target_offsets_));
  container_.section("target_counts", std::span<const float>(target_counts_));
  container_.begin_section("rules", sizeof(uint32_t));
}

void RuleStoreWriter::begin_source(std::span<const Symbol> symbols, float count) {
  if (!writing_rules_) finish_targets();
  const size_t common =
      std::mismatch(symbols.begin(), symbols.end(), source_.begin(), source_.end()).first -
      symbols.begin();
  const bool rises = common == source_.size()
                         ? symbols.size() > common
                         : common < symbols.size() && source_[common] < symbols[common];
  if (!rises) throw std::invalid_argument("source sides are not in rising order");
  source_.assign(symbols.begin(), symbols.end());
  if (levels_.size() < symbols.size()) levels_.resize(symbols.size());
  for (size_t depth = common; depth < symbols.size(); ++depth) {
    const auto children =
        depth + 1 < levels_.size() ? static_cast<uint32_t>(levels_[depth + 1].size()) : 0;
    levels_[depth].push_back({symbols[depth], children, kNoRule, 0});
  }
  levels_[symbols.size() - 1].back().source_count = count;
}

void RuleStoreWriter::add_rule(const StoredRule& rule) {
  if (rule.scores.size() != score_names_.size()) throw std::invalid_argument("number of scores");
  if (rule.target >= target_counts_.size()) throw std::invalid_argument("no such target side");
  uint32_t& first_rule = levels_[source_.size() - 1].back().first_rule;
  if (first_rule == kNoRule) {
    first_rule = rules_;
    if (!row_.empty()) row_[0] |= RuleStore::kLastOfNode;
  }
  container_.append(std::span<const uint32_t>(row_));
  const bool known = rule.occurrences == 1 && rule.only_sentence >= 0;
  row_.assign({rule.target, intern_links(rule.links),
               static_cast<uint32_t>(known ? rule.only_sentence : -std::max(rule.occurrences, 1))});
  for (const float score : rule.scores) row_.push_back(std::bit_cast<uint32_t>(score));
  if (rule.lhs != kLabelX && lhs_.empty()) lhs_.assign(rules_, kLabelX);
  if (rule.lhs != kLabelX || !lhs_.empty()) lhs_.push_back(static_cast<uint16_t>(rule.lhs));
  const bool own_count =
      rule.count && *rule.count != static_cast<float>(std::max(rule.occurrences, 1));
  if (own_count && counts_.empty()) counts_.assign(rules_, RuleStore::kAsOccurrences);
  if (own_count || !counts_.empty())
    counts_.push_back(own_count ? *rule.count : RuleStore::kAsOccurrences);
  if (++rules_ == kNoRule) throw ModelError({.found = "4 billion rules", .expected = "fewer"});
}

uint32_t RuleStoreWriter::intern_links(std::span<const RuleLink> links) {
  const std::string_view bytes(reinterpret_cast<const char*>(links.data()), links.size_bytes());
  // Two link lists with one hash would be one too few: the next hash is tried until they agree.
  for (uint64_t hash = hash_bytes(bytes);; hash = mix64(hash + 1)) {
    const auto [id, fresh] = links_by_hash_.insert(hash);
    if (fresh) {
      id = static_cast<uint32_t>(links_.size());
      links_.values.insert(links_.values.end(), links.begin(), links.end());
      links_.end_row();
      return id;
    }
    if (std::ranges::equal(links_[id], links)) return id;
  }
}

void RuleStoreWriter::commit() {
  if (!writing_rules_) finish_targets();
  if (!row_.empty()) row_[0] |= RuleStore::kLastOfNode;
  container_.append(std::span<const uint32_t>(row_));
  write_trie();
  container_.section("link_offsets", std::span<const uint32_t>(links_.offsets));
  container_.section("links", std::span<const RuleLink>(links_.values));
  container_.section("lhs", std::span<const uint16_t>(lhs_));
  container_.section("counts", std::span<const float>(counts_));
  write_texts("score_names", score_names_);
  write_texts("labels", labels_);
  container_.commit();
}

// Level by level; children's numbers within their level become numbers in the whole trie.
void RuleStoreWriter::write_trie() {
  uint32_t begin = 1;  // of the next level: the root is node 0
  container_.begin_section("nodes", sizeof(StoredNode));
  const StoredNode root{0, begin, kNoRule, 0};
  container_.append(std::span(&root, 1));
  std::vector<TrieNode> first_words;
  for (size_t depth = 0; depth < levels_.size(); ++depth) {
    const uint32_t next_begin = begin + static_cast<uint32_t>(levels_[depth].size());
    for (size_t i = 0; i < levels_[depth].size(); ++i) {
      StoredNode& node = levels_[depth][i];
      node.first_child += next_begin;
      if (depth > 0 || is_gap(node.symbol)) continue;
      first_words.resize(node.symbol + 1, 0);
      first_words[node.symbol] = begin + static_cast<uint32_t>(i);
    }
    container_.append(std::span<const StoredNode>(levels_[depth]));
    begin = next_begin;
  }
  const StoredNode end{0, begin, kNoRule, 0};
  container_.append(std::span(&end, 1));
  container_.section("first_words", std::span<const TrieNode>(first_words));
}

void RuleStoreWriter::write_texts(std::string_view name, const std::vector<std::string>& texts) {
  container_.begin_section(name, 1);
  for (const std::string& text : texts) {
    container_.append(std::span(text.data(), text.size()));
    container_.append(std::span("\n", 1));
  }
}

}  // namespace demotic
