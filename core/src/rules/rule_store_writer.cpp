#include "demotic/rules/rule_store_writer.h"

#include <algorithm>
#include <stdexcept>

#include "demotic/base/errors.h"
#include "interned_links.h"
#include "rule_store_format.h"
#include "text_section.h"

namespace demotic::rules {
namespace {

constexpr size_t kPieceBytes = size_t{1} << 18;  // written to the container at once

template <typename T>
void write_out(std::vector<T>& values, ContainerWriter& container) {
  container.append(std::span<const T>(values));
  values.clear();
}

}  // namespace

RuleStoreWriter::RuleStoreWriter(const std::string& path, std::vector<std::string> score_names,
                                 std::vector<std::string> labels,
                                 std::span<const WordId> target_words)
    : container_(path, kRulesKind, kRulesVersion),
      score_names_(std::move(score_names)),
      labels_(std::move(labels)),
      encoder_(target_words) {
  container_.section("target_words", target_words);
  container_.begin_section("targets", 1);
}

uint32_t RuleStoreWriter::add_target(std::span<const Symbol> symbols, float count) {
  if (writing_rules_) throw std::invalid_argument("a target side after the first rule");
  const uint64_t begin = target_bytes_;
  if (begin > UINT32_MAX) {
    throw ModelError({.found = "more than 4 GB of target sides",
                      .expected = "a smaller rule table",
                      .advice = "give --min-count 2 or a smaller --max-phrase"});
  }
  const size_t before = targets_.size();
  encoder_.append(symbols, count, targets_);
  target_bytes_ += targets_.size() - before;
  if (targets_.size() >= kPieceBytes) write_out(targets_, container_);
  return static_cast<uint32_t>(begin);
}

void RuleStoreWriter::finish_targets() {
  writing_rules_ = true;
  write_out(targets_, container_);
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
  if (!rises) throw std::invalid_argument("source sides must be in strictly ascending order");
  end_source();
  source_.assign(symbols.begin(), symbols.end());
  if (levels_.size() < symbols.size()) levels_.resize(symbols.size());
  for (size_t depth = common; depth < symbols.size(); ++depth) {
    const auto children =
        depth + 1 < levels_.size() ? static_cast<uint32_t>(levels_[depth + 1].nodes.size()) : 0;
    levels_[depth].nodes.push_back({symbols[depth], children, rules_});
    levels_[depth].source_counts.push_back(0);
  }
  levels_[symbols.size() - 1].source_counts.back() = count;
}

// Marks the last rule of the source side, which is complete now.
void RuleStoreWriter::end_source() {
  if (source_.empty()) return;
  const Level& level = levels_[source_.size() - 1];
  if (level.nodes.back().first_rule == rules_)
    throw std::invalid_argument("a source side without rules");
  rows_[rows_.size() - score_names_.size() - 2] |= RuleStore::kLastOfNode;
  if (static_cast<float>(source_sum_) != level.source_counts.back()) keep_source_counts_ = true;
  source_sum_ = 0;
}

void RuleStoreWriter::add_rule(const StoredRule& rule) {
  if (rule.scores.size() != score_names_.size()) throw std::invalid_argument("one score per name");
  if (rule.target >= target_bytes_) throw std::invalid_argument("no such target side");
  if (source_.empty()) throw std::invalid_argument("a rule before its source side");
  if (rows_.size() >= kPieceBytes / sizeof(uint32_t)) write_out(rows_, container_);
  const bool known = rule.occurrences == 1 && rule.only_sentence >= 0;
  const int32_t occurrences = std::max(rule.occurrences, 1);
  const auto origin = static_cast<uint32_t>(known ? rule.only_sentence : -occurrences);
  rows_.insert(rows_.end(), {rule.target, intern_links(rule.links), origin});
  for (const float score : rule.scores) rows_.push_back(std::bit_cast<uint32_t>(score));
  if (rule.lhs != kLabelX && lhs_.empty()) lhs_.assign(rules_, kLabelX);
  if (rule.lhs != kLabelX || !lhs_.empty()) lhs_.push_back(static_cast<uint16_t>(rule.lhs));
  const float count = rule.count.value_or(static_cast<float>(occurrences));
  const bool own_count = count != static_cast<float>(occurrences);
  if (own_count && counts_.empty()) counts_.assign(rules_, RuleStore::kAsOccurrences);
  if (own_count || !counts_.empty())
    counts_.push_back(own_count ? count : RuleStore::kAsOccurrences);
  source_sum_ += count;
  if (++rules_ > kMaxRules)
    throw ModelError({.found = "too many rules (limit " + std::to_string(kMaxRules) + ")"});
}

uint32_t RuleStoreWriter::intern_links(std::span<const RuleLink> links) {
  if (links.size() > UINT16_MAX) throw std::invalid_argument("too many links");
  return interned_links(links, links_, links_by_hash_, [&](std::span<const RuleLink> fresh) {
    if (links_.size() >= RuleStore::kLastOfNode)
      throw ModelError({.found = "too many links in distinct alignments of rules",
                        .expected = "at most 2147483648",
                        .advice = "give --min-count 2 or a smaller --max-phrase"});
    links_.push_back(RuleStore::list_head(fresh.size()));
    links_.insert(links_.end(), fresh.begin(), fresh.end());
  });
}

void RuleStoreWriter::commit() {
  if (!writing_rules_) finish_targets();
  end_source();
  write_out(rows_, container_);
  write_trie();
  container_.section("links", std::span<const RuleLink>(links_));
  container_.section("lhs", std::span<const uint16_t>(lhs_));
  container_.section("counts", std::span<const float>(counts_));
  write_source_counts();
  write_lines(container_, "score_names", score_names_);
  write_lines(container_, "labels", labels_);
  container_.commit();
}

// Level by level; indices of children within their level become indices in the whole trie.
void RuleStoreWriter::write_trie() {
  uint32_t begin = 1;  // start of the next level: the root is node 0
  container_.begin_section("nodes", sizeof(StoredNode));
  const StoredNode root{0, begin, 0};
  container_.append(std::span(&root, 1));
  std::vector<TrieNode> first_words;
  for (size_t depth = 0; depth < levels_.size(); ++depth) {
    std::vector<StoredNode>& nodes = levels_[depth].nodes;
    const uint32_t next_begin = begin + static_cast<uint32_t>(nodes.size());
    for (size_t i = 0; i < nodes.size(); ++i) {
      nodes[i].first_child += next_begin;
      if (depth > 0 || is_gap(nodes[i].symbol)) continue;
      first_words.resize(nodes[i].symbol + 1, 0);
      first_words[nodes[i].symbol] = begin + static_cast<uint32_t>(i);
    }
    container_.append(std::span<const StoredNode>(nodes));
    begin = next_begin;
  }
  const StoredNode end{0, begin, rules_};
  container_.append(std::span(&end, 1));
  container_.section("first_words", std::span<const TrieNode>(first_words));
}

void RuleStoreWriter::write_source_counts() {
  container_.begin_section("source_counts", sizeof(float));
  if (!keep_source_counts_) return;
  const float root = 0;
  container_.append(std::span(&root, 1));
  for (const Level& level : levels_) container_.append(std::span<const float>(level.source_counts));
}

}  // namespace demotic::rules
