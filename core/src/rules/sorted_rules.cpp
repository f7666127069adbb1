#include "demotic/rules/sorted_rules.h"

#include <algorithm>
#include <stdexcept>

#include "demotic/base/errors.h"
#include "interned_links.h"

namespace demotic::rules {
namespace {

constexpr size_t kRowBytes = size_t{1} << 18;  // of rows, handed over at once

void refuse_too_many(uint64_t rules) {
  if (rules > kMaxRules)
    throw ModelError({.found = "too many rules (limit " + std::to_string(kMaxRules) + ")"});
}

}  // namespace

// The number of symbols that the next source side shares with the current one.
size_t SortedRules::common_prefix(std::span<const Symbol> next) const {
  const size_t common =
      std::mismatch(next.begin(), next.end(), source_.begin(), source_.end()).first - next.begin();
  const bool rises = common == source_.size()
                         ? next.size() > common
                         : common < next.size() && source_[common] < next[common];
  if (!rises) throw std::invalid_argument("source sides must be in strictly ascending order");
  return common;
}

void SortedRules::begin_source(std::span<const Symbol> symbols, float count) {
  const size_t common = common_prefix(symbols);
  end_source();
  open_ = true;
  source_.assign(symbols.begin(), symbols.end());
  if (levels_.empty()) first_ = source_;
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
void SortedRules::end_source() {
  if (!open_) return;
  const Level& level = levels_[source_.size() - 1];
  if (level.nodes.back().first_rule == rules_)
    throw std::invalid_argument("a source side without rules");
  rows_[rows_.size() - scores_ - 2] |= RuleStore::kLastOfNode;
  if (static_cast<float>(source_sum_) != level.source_counts.back()) keep_source_counts_ = true;
  source_sum_ = 0;
  open_ = false;
}

void SortedRules::add_rule(const StoredRule& rule) {
  if (rule.scores.size() != scores_) throw std::invalid_argument("one score per name");
  if (!open_) throw std::invalid_argument("a rule before its source side");
  if (rows_.size() >= kRowBytes / sizeof(uint32_t)) hand_over();
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
  refuse_too_many(++rules_);
}

uint32_t SortedRules::intern_links(std::span<const RuleLink> links) {
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

void SortedRules::hand_over() {
  if (!sink_) return;
  sink_(rows_);
  rows_.clear();
}

void SortedRules::finish() {
  end_source();
  hand_over();
}

void SortedRules::append(SortedRules&& part) {
  if (part.empty()) return;
  end_source();
  refuse_too_many(uint64_t{rules_} + part.rules_);
  append_trie(part, common_prefix(part.first_));
  const std::vector<uint32_t> place = intern_all(part);
  constexpr uint32_t kLast = RuleStore::kLastOfNode;
  for (size_t i = 1; i < part.rows_.size(); i += stride())
    part.rows_[i] = place[part.rows_[i] & ~kLast] | (part.rows_[i] & kLast);
  hand_over();
  if (sink_) {
    sink_(part.rows_);
  } else {
    rows_.insert(rows_.end(), part.rows_.begin(), part.rows_.end());
  }
  append_counts(part);
  keep_source_counts_ |= part.keep_source_counts_;
  source_ = std::move(part.source_);
  rules_ += part.rules_;
}

// Nodes on the path to the first source side of the part that are here already are left out.
void SortedRules::append_trie(const SortedRules& part, size_t common) {
  if (levels_.empty()) first_ = part.first_;
  if (levels_.size() < part.levels_.size()) levels_.resize(part.levels_.size());
  const auto children = [&](size_t depth) {
    if (depth + 1 >= levels_.size()) return uint32_t{0};
    return static_cast<uint32_t>(levels_[depth + 1].nodes.size() - (depth + 1 < common));
  };
  for (size_t depth = 0; depth < part.levels_.size(); ++depth) {
    const Level& from = part.levels_[depth];
    Level& to = levels_[depth];
    const uint32_t before = children(depth);
    for (size_t i = depth < common; i < from.nodes.size(); ++i) {
      const auto [symbol, first_child, first_rule] = from.nodes[i];
      to.nodes.push_back({symbol, first_child + before, first_rule + rules_});
    }
    to.source_counts.insert(to.source_counts.end(), from.source_counts.begin() + (depth < common),
                            from.source_counts.end());
  }
}

// The place of every alignment of the part here, by its place there.
std::vector<uint32_t> SortedRules::intern_all(const SortedRules& part) {
  std::vector<uint32_t> places(part.links_.size());
  for (size_t i = 0; i < part.links_.size();) {
    const size_t size = RuleStore::list_size(part.links_[i]);
    places[i] = intern_links(std::span(part.links_).subspan(i + 1, size));
    i += 1 + size;
  }
  return places;
}

void SortedRules::append_counts(const SortedRules& part) {
  const auto join = [&]<typename T>(std::vector<T>& to, const std::vector<T>& from, T missing) {
    if (to.empty() && from.empty()) return;
    to.resize(rules_, missing);
    to.insert(to.end(), from.begin(), from.end());
    to.resize(size_t{rules_} + part.rules_, missing);
  };
  join(lhs_, part.lhs_, static_cast<uint16_t>(kLabelX));
  join(counts_, part.counts_, RuleStore::kAsOccurrences);
}

void SortedRules::write(ContainerWriter& container) {
  write_trie(container);
  container.section("links", std::span<const RuleLink>(links_));
  container.section("lhs", std::span<const uint16_t>(lhs_));
  container.section("counts", std::span<const float>(counts_));
  write_source_counts(container);
}

// Level by level; indices of children within their level become indices in the whole trie.
void SortedRules::write_trie(ContainerWriter& container) {
  uint32_t begin = 1;  // start of the next level: the root is node 0
  container.begin_section("nodes", sizeof(StoredNode));
  const StoredNode root{0, begin, 0};
  container.append(std::span(&root, 1));
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
    container.append(std::span<const StoredNode>(nodes));
    begin = next_begin;
  }
  const StoredNode end{0, begin, rules_};
  container.append(std::span(&end, 1));
  container.section("first_words", std::span<const TrieNode>(first_words));
}

void SortedRules::write_source_counts(ContainerWriter& container) const {
  container.begin_section("source_counts", sizeof(float));
  if (!keep_source_counts_) return;
  const float root = 0;
  container.append(std::span(&root, 1));
  for (const Level& level : levels_) container.append(std::span<const float>(level.source_counts));
}

}  // namespace demotic::rules
