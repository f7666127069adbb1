// The arrays of a RuleStore that grow: rules are added while other threads read. Everything that is
// found by `child` can be read. One writer at a time.
#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "demotic/base/flat_map.h"
#include "demotic/base/growing_array.h"
#include "demotic/base/published_map.h"
#include "demotic/rules/rule_store.h"
#include "sampled_rules.h"

namespace demotic::rules {

class GrowingRules {
 public:
  static constexpr RuleId kMostRules = RuleId{1} << 26;

  // The words that target sides may contain, frequent ones first.
  GrowingRules(size_t scores, std::vector<WordId> target_words);

  size_t stride() const noexcept { return stride_; }
  std::span<const WordId> target_words() const noexcept { return target_words_; }

  // Arrays as those of a RuleStore, of which `size()` rules are used.
  std::span<const uint32_t> rows() const noexcept { return {rows_.data(), rows_.most()}; }
  std::span<const uint8_t> targets() const noexcept { return {targets_.data(), targets_.most()}; }
  std::span<const RuleLink> links() const noexcept { return {links_.data(), links_.most()}; }
  std::span<const float> counts() const noexcept { return {counts_.data(), counts_.most()}; }

  RuleId size() const noexcept { return rules_.load(std::memory_order_acquire); }
  TrieNode nodes() const noexcept { return trie_size_.load(std::memory_order_acquire); }
  RuleRange rules(TrieNode node) const noexcept { return trie_[node].rules; }
  float source_count(TrieNode node) const noexcept { return trie_[node].source_count; }
  TrieNode child(TrieNode node, Symbol symbol) const noexcept {
    return edges_.find(edge(node, symbol));
  }
  static uint64_t edge(TrieNode node, Symbol symbol) noexcept {
    return uint64_t{node} << 32 | static_cast<uint32_t>(symbol);
  }

  // Adds a source side with its rules, of which there may be none, and returns its node. Throws
  // ModelError if there is no room.
  TrieNode add(TrieNode parent, Symbol symbol, const SampledRules& rules);

 private:
  struct Node {
    RuleRange rules;
    float source_count;
  };

  uint32_t add_links(std::span<const RuleLink> links);

  size_t stride_;
  std::vector<WordId> target_words_;
  TargetEncoder encoder_;
  PublishedMap edges_;
  std::atomic<RuleId> rules_{0};
  std::atomic<TrieNode> trie_size_{1};
  GrowingArray<Node> trie_;
  GrowingArray<uint32_t> rows_;
  GrowingArray<uint8_t> targets_;
  GrowingArray<RuleLink> links_;
  GrowingArray<float> counts_;
  FlatMap<uint64_t, uint32_t> links_by_hash_;

  // Scratch of `add`.
  std::vector<uint8_t> encoded_;
  std::vector<uint32_t> row_;
};

}  // namespace demotic::rules
