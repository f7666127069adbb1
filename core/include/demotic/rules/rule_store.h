// All rules of a model, mapped from a file and used in place; or those of an indexed bitext that
// have been asked for so far (docs/on-demand.md), which has the same interface.
//
// Source sides form a trie (gaps are symbols too) whose nodes are numbered level by level, so that
// a node's children are contiguous, sorted by symbol. A rule is one row of 32-bit words: target,
// alignment, origin, then its scores, so that one access loads all of it into the cache. Target
// sides and alignments are stored once and shared by the rules that have them.
//
// Rules are in depth-first order of the trie, a node before its children; those of one source side
// by falling count, then in arbitrary order. Safe to share between threads. Memory:
// docs/formats.md, "Rules".
#pragma once

#include <bit>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "demotic/base/container.h"
#include "demotic/base/portable.h"
#include "demotic/rules/symbols.h"
#include "demotic/rules/target_side.h"

namespace demotic::rules {

using RuleId = uint32_t;
using TrieNode = uint32_t;

inline constexpr RuleId kNoRule = UINT32_MAX;  // for copied words
// The numbers above are for steps of a search that apply no rule.
inline constexpr uint32_t kMaxRules = UINT32_MAX - (uint32_t{1} << 25);

inline constexpr TrieNode kTrieRoot = 0;

// A link inside a rule: positions in its source and target symbols.
struct RuleLink {
  uint8_t source, target;
  friend auto operator<=>(const RuleLink&, const RuleLink&) = default;
};

struct StoredNode {
  Symbol symbol;         // on the edge from the parent
  uint32_t first_child;  // children end where those of the next node begin
  uint32_t first_rule;   // its first rule, or that of the first node below that has one
};
static_assert(sizeof(StoredNode) == 12);

struct RuleRange {
  RuleId begin = 0, end = 0;
  uint32_t size() const noexcept { return end - begin; }
};

class OnDemandRules;
struct RuleMatch;

class RuleStore {
 public:
  // A table of rules, or an indexed bitext with further ones that were added to it.
  static RuleStore open(const std::string& path, bool verify, const StopFlag& stop,
                        std::span<const std::string> added = {});

  // On demand: rules are added by `prepare`; until then they do not exist.
  bool on_demand() const noexcept { return demand_ != nullptr; }
  // Makes sure that the rules of these sentences are there, as far as they cover at most
  // `span_limit` words (0 for no limit; it limits rules with gaps only). Their numbers depend on
  // the order of all sentences so far, not on the threads. Does nothing for a table.
  void prepare(std::span<const std::span<const WordId>> sentences, int32_t span_limit, int threads,
               const StopFlag& stop) const;
  // The number of rules that there may be: of a table, its size.
  RuleId most() const noexcept;
  // Sentence pairs of an indexed bitext; 0 for a table.
  int64_t pairs() const noexcept;
  // The words with which source sides begin, ascending.
  std::vector<WordId> first_words() const;
  // All rules without gaps whose source side occurs in `words`, by begin, then end.
  void match(std::span<const WordId> words, std::vector<RuleMatch>& matches) const;

  RuleId size() const noexcept {
    return demand_ ? demanded() : static_cast<RuleId>(rows_.size() / stride_);
  }
  TrieNode nodes() const noexcept;
  int32_t score_count() const noexcept { return static_cast<int32_t>(stride_) - kRowHead; }
  const std::vector<std::string>& score_names() const noexcept { return score_names_; }
  const std::vector<std::string>& labels() const noexcept { return labels_; }
  size_t size_bytes() const noexcept { return bytes_; }

  // The trie. `child` returns 0 (the root, which is never a child) if there is none. What is on
  // demand has no lists of children.
  TrieNode child(TrieNode node, Symbol symbol) const noexcept;
  std::span<const StoredNode> children(TrieNode node) const noexcept {
    return nodes_.subspan(nodes_[node].first_child,
                          nodes_[node + 1].first_child - nodes_[node].first_child);
  }
  // The index of a node returned by `children`.
  TrieNode number(const StoredNode& node) const noexcept {
    return static_cast<TrieNode>(&node - nodes_.data());
  }
  // Calls visit(label, child) for the children of a node that a gap leads to.
  template <typename Visit>
  void for_each_gap(TrieNode node, Visit&& visit) const {
    if (demand_) {
      if (const TrieNode found = child(node, gap_symbol(kLabelX))) visit(kLabelX, found);
      return;
    }
    // Gaps are negative, so they are sorted before all words.
    for (const StoredNode& one : children(node)) {
      if (!is_gap(one.symbol)) break;
      visit(gap_index(one.symbol), number(one));
    }
  }
  bool has_rules(TrieNode node) const noexcept {
    if (demand_) return rules(node).size() > 0;
    if (is_leaf(node)) return node != kTrieRoot;
    return nodes_[node].first_rule != nodes_[nodes_[node].first_child].first_rule;
  }
  // Constant time, except for leaves, where the row marked as last is searched for.
  RuleRange rules(TrieNode node) const noexcept;
  // The count of the source side over all its rules, including removed ones.
  float source_count(TrieNode node) const noexcept;

  // A rule. Scores are natural logs or plain values, depending on the score; higher is better.
  TargetSide target(RuleId rule) const noexcept {
    return {targets_.data() + row(rule)[0], target_words_.data()};
  }
  // The same, written to a buffer.
  void target(RuleId rule, std::vector<Symbol>& out) const { target(rule).copy(out); }
  // Prefetches the row of a rule.
  void prefetch(RuleId rule) const noexcept { prefetch_line(row(rule)); }
  // Prefetches what `target` reads: the target sides of adjacent rules are far apart.
  void prefetch_target(RuleId rule) const noexcept {
    prefetch_line(targets_.data() + row(rule)[0]);
  }
  // All words of target sides, in no particular order.
  std::span<const WordId> target_words() const noexcept { return target_words_; }
  float target_count(RuleId rule) const noexcept { return target(rule).count(); }
  std::span<const RuleLink> links(RuleId rule) const noexcept {
    const RuleLink* head = links_.data() + (row(rule)[1] & ~kLastOfNode);
    return {head + 1, list_size(*head)};
  }
  // Bit k: whether gap k is reordered, that is, its link crosses another link of the rule. Read
  // from the links, which are those of the most frequent alignment: takes a few nanoseconds.
  uint8_t reordered_gaps(RuleId rule) const noexcept;
  std::span<const float> scores(RuleId rule) const noexcept {
    return {reinterpret_cast<const float*>(row(rule) + kRowHead), stride_ - kRowHead};
  }
  // The left-hand side's label.
  int32_t lhs(RuleId rule) const noexcept { return lhs_.empty() ? kLabelX : lhs_[rule]; }
  // How often the rule was extracted; if once, from which sentence (for leave-one-out).
  int32_t occurrences(RuleId rule) const noexcept {
    const auto origin = static_cast<int32_t>(row(rule)[2]);
    return origin < 0 ? -origin : 1;
  }
  // The count of the rule: its occurrences, unless they share counts (Hiero) or the counts come
  // from another program. 0 if unknown.
  float count(RuleId rule) const noexcept {
    return counts_.empty() || counts_[rule] < 0 ? static_cast<float>(occurrences(rule))
                                                : counts_[rule];
  }
  int32_t only_sentence(RuleId rule) const noexcept {
    const auto origin = static_cast<int32_t>(row(rule)[2]);
    return origin < 0 ? -1 : origin;
  }

  static constexpr int32_t kRowHead = 3;
  static constexpr uint32_t kLastOfNode = 0x80000000u;  // in the word of the alignment
  static constexpr float kAsOccurrences = -1;           // in counts_

  // An alignment is stored as its number of links, encoded as a link, and the links.
  static constexpr RuleLink list_head(size_t size) noexcept {
    return {static_cast<uint8_t>(size), static_cast<uint8_t>(size >> 8)};
  }
  static constexpr size_t list_size(RuleLink head) noexcept {
    return head.source | static_cast<size_t>(head.target) << 8;
  }

 private:
  RuleStore() = default;
  explicit RuleStore(std::shared_ptr<OnDemandRules> demand);
  bool sound_sizes() const;
  bool sound_nodes() const;
  bool sound_rows() const;
  bool sound_links() const;
  const uint32_t* row(RuleId rule) const noexcept { return rows_.data() + size_t{rule} * stride_; }
  RuleId demanded() const noexcept;
  bool is_leaf(TrieNode node) const noexcept {
    return nodes_[node].first_child == nodes_[node + 1].first_child;
  }

  std::span<const StoredNode> nodes_;      // plus a sentinel at the end
  std::span<const TrieNode> first_words_;  // the root's child by word id, 0 for none
  std::span<const uint32_t> rows_;
  size_t stride_ = kRowHead;
  std::span<const uint8_t> targets_;  // concatenated target sides, see target_side.h
  std::span<const WordId> target_words_;
  std::span<const RuleLink> links_;  // concatenated alignments
  std::span<const uint16_t> lhs_;    // empty if all are kLabelX
  std::span<const float> counts_;    // empty if all are kAsOccurrences
  // By node; empty if all are the sums of their rules' counts.
  std::span<const float> source_counts_;
  std::vector<std::string> score_names_, labels_;
  size_t bytes_ = 0;
  std::shared_ptr<const Container> owner_;
  std::shared_ptr<OnDemandRules> demand_;
};

// A span of a sentence that has rules.
struct RuleMatch {
  int32_t begin, end;
  RuleRange rules;
};

}  // namespace demotic::rules
