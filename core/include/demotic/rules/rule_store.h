// All rules of a model, mapped from a file and used in place.
//
// Source sides form a trie (gaps are symbols too) whose nodes are numbered level by level, so that
// a node's children stand side by side, sorted by symbol. A rule is one row of 32-bit words:
// target, alignment, origin, then its scores, so that one look brings all of it into the cache.
// Target sides and alignments are stored once and shared by the rules that have them.
//
// Rules of one source side are ordered by falling count, then by target symbols. Safe to share
// between threads. Memory: docs/formats.md, "Rules".
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
#include "demotic/base/csr.h"
#include "demotic/rules/symbols.h"

namespace demotic {

using RuleId = uint32_t;
using TrieNode = uint32_t;

inline constexpr TrieNode kTrieRoot = 0;
inline constexpr uint32_t kNoRule = UINT32_MAX;

// A link inside a rule: positions in its source and target symbols.
struct RuleLink {
  uint8_t source, target;
  friend auto operator<=>(const RuleLink&, const RuleLink&) = default;
};

struct StoredNode {
  Symbol symbol;         // on the edge from the parent
  uint32_t first_child;  // children end where those of the next node begin
  uint32_t first_rule;   // kNoRule if there is none; the last rule of a node is marked
  float source_count;    // of the source side, all its rules together, removed ones too
};
static_assert(sizeof(StoredNode) == 16);

struct RuleRange {
  RuleId begin = 0, end = 0;
  uint32_t size() const noexcept { return end - begin; }
};

class RuleStore {
 public:
  static RuleStore open(const std::string& path, bool verify, const StopFlag& stop);

  RuleId size() const noexcept { return static_cast<RuleId>(rows_.size() / stride_); }
  TrieNode nodes() const noexcept { return static_cast<TrieNode>(nodes_.size() - 1); }
  int32_t score_count() const noexcept { return static_cast<int32_t>(stride_) - kRowHead; }
  const std::vector<std::string>& score_names() const noexcept { return score_names_; }
  const std::vector<std::string>& labels() const noexcept { return labels_; }
  size_t size_bytes() const noexcept { return bytes_; }

  // The trie. `child` gives 0 (the root, nobody's child) if there is none.
  TrieNode child(TrieNode node, Symbol symbol) const noexcept;
  std::span<const StoredNode> children(TrieNode node) const noexcept {
    return nodes_.subspan(nodes_[node].first_child,
                          nodes_[node + 1].first_child - nodes_[node].first_child);
  }
  RuleRange rules(TrieNode node) const noexcept;
  float source_count(TrieNode node) const noexcept { return nodes_[node].source_count; }

  // A rule. Scores are natural logs or plain values, as score_names says; higher is better.
  std::span<const Symbol> target(RuleId rule) const noexcept { return targets_[target_id(rule)]; }
  float target_count(RuleId rule) const noexcept { return target_counts_[target_id(rule)]; }
  std::span<const RuleLink> links(RuleId rule) const noexcept { return links_[row(rule)[1]]; }
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
  // How often the rule was counted: its occurrences, unless they share counts (Hiero) or somebody
  // else has counted. 0 if that is not known.
  float count(RuleId rule) const noexcept {
    return counts_.empty() || counts_[rule] < 0 ? static_cast<float>(occurrences(rule))
                                                : counts_[rule];
  }
  int32_t only_sentence(RuleId rule) const noexcept {
    const auto origin = static_cast<int32_t>(row(rule)[2]);
    return origin < 0 ? -1 : origin;
  }

  static constexpr int32_t kRowHead = 3;
  static constexpr uint32_t kLastOfNode = 0x80000000u;
  static constexpr float kAsOccurrences = -1;  // in counts_

 private:
  RuleStore() = default;
  void check(const std::string& path) const;
  const uint32_t* row(RuleId rule) const noexcept { return rows_.data() + size_t{rule} * stride_; }
  uint32_t target_id(RuleId rule) const noexcept { return row(rule)[0] & ~kLastOfNode; }

  std::span<const StoredNode> nodes_;      // one more at the end
  std::span<const TrieNode> first_words_;  // the root's child by word id, 0 for none
  std::span<const uint32_t> rows_;
  size_t stride_ = kRowHead;
  CsrView<Symbol, uint32_t> targets_;
  std::span<const float> target_counts_;
  CsrView<RuleLink, uint32_t> links_;
  std::span<const uint16_t> lhs_;  // empty if all are kLabelX
  std::span<const float> counts_;  // empty if all are kAsOccurrences
  std::vector<std::string> score_names_, labels_;
  size_t bytes_ = 0;
  std::shared_ptr<const Container> owner_;
};

// A stretch of a sentence that has rules.
struct RuleMatch {
  int32_t begin, end;
  RuleRange rules;
};

// All rules without gaps whose source side stands in `words`, by begin, then end.
void match_phrases(const RuleStore& store, std::span<const WordId> words,
                   std::vector<RuleMatch>& matches);

}  // namespace demotic
