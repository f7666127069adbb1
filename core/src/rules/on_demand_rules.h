// The rules of an indexed bitext, extracted and scored when a source phrase is first asked for, and
// kept from then on: the growing arrays of a RuleStore.
//
// `prepare` takes sentences in order and adds what is missing for them, so that the numbers of
// rules depend on the order of the sentences alone. Thread-safe: one `prepare` at a time, while
// others read. A reader sees a source phrase with all of its rules or not at all.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <vector>

#include "demotic/base/csr.h"
#include "demotic/base/flat_map.h"
#include "demotic/base/growing_array.h"
#include "demotic/base/thread_pool.h"
#include "demotic/rules/bitext_index.h"
#include "demotic/rules/rule_store.h"
#include "phrase_sampler.h"

namespace demotic::rules {

class OnDemandRules {
 public:
  static constexpr RuleId kMostRules = RuleId{1} << 26;

  // The indices have equal settings. Throws ModelError if they do not.
  explicit OnDemandRules(std::vector<BitextIndex> indices);

  const std::vector<std::string>& score_names() const noexcept { return score_names_; }
  size_t stride() const noexcept { return stride_; }
  std::span<const WordId> target_words() const noexcept { return target_words_; }
  std::vector<WordId> first_words() const;
  size_t index_bytes() const noexcept;
  int64_t pairs() const noexcept { return bitext_.pairs(); }

  // Arrays as those of a RuleStore, of which `size()` rules are used.
  std::span<const uint32_t> rows() const noexcept { return {rows_.data(), rows_.most()}; }
  std::span<const uint8_t> targets() const noexcept { return {targets_.data(), targets_.most()}; }
  std::span<const RuleLink> links() const noexcept { return {links_.data(), links_.most()}; }
  std::span<const float> counts() const noexcept { return {counts_.data(), counts_.most()}; }

  RuleId size() const noexcept { return rules_.load(std::memory_order_acquire); }
  TrieNode nodes() const noexcept { return trie_size_.load(std::memory_order_acquire); }
  RuleRange rules(TrieNode node) const noexcept { return trie_[node].rules; }
  float source_count(TrieNode node) const noexcept { return trie_[node].source_count; }
  // Only while the lock is held.
  std::shared_lock<std::shared_mutex> reading() const { return std::shared_lock(mutex_); }
  TrieNode child(TrieNode node, Symbol symbol) const noexcept {
    const TrieNode* found = edges_.find(edge(node, symbol));
    return found ? *found : kTrieRoot;
  }

  // Throws ModelError if there is no room for more rules, Interrupted.
  void prepare(const std::vector<std::span<const WordId>>& sentences, int threads,
               const StopFlag& stop);

 private:
  struct Node {
    RuleRange rules;
    float source_count;
  };
  // A source phrase to be extracted.
  struct Task {
    std::span<const WordId> words;
    TrieNode parent;
  };

  static uint64_t edge(TrieNode node, Symbol symbol) noexcept {
    return uint64_t{node} << 32 | static_cast<uint32_t>(symbol);
  }
  std::vector<Task> missing(const std::vector<std::span<const WordId>>& sentences) const;
  void add(const Task& task, const SampledRules& rules);
  uint32_t add_links(std::span<const RuleLink> links);

  std::vector<BitextIndex> indices_;
  PackedBitext bitext_;
  ExtractOptions options_;
  std::vector<std::string> score_names_;
  size_t stride_;
  std::vector<WordId> target_words_;
  TargetEncoder encoder_;
  std::mutex preparing_;
  std::vector<std::unique_ptr<PhraseSampler>> samplers_;  // by thread

  mutable std::shared_mutex mutex_;  // of the edges; other arrays never move
  FlatMap<uint64_t, TrieNode> edges_;
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
