// Rules of ascending source sides in the form of a rule store: the trie of their source sides, a
// row per rule, and alignments that are stored once. Made rule by rule, or from parts that follow
// each other: appending a part gives what adding its rules one by one would give, at the cost of
// copying it.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "demotic/base/container.h"
#include "demotic/base/flat_map.h"
#include "demotic/rules/rule_store.h"

namespace demotic::rules {

struct StoredRule {
  uint32_t target;                  // place of the target side in the store
  std::span<const RuleLink> links;  // sorted
  int32_t occurrences;
  int32_t only_sentence;  // -1 unless occurrences is 1 and the sentence is known
  int32_t lhs;
  std::span<const float> scores;
  // The count of the rule if it differs from `occurrences`: shared counts, or 0 for unknown.
  std::optional<float> count{};
};

class SortedRules {
 public:
  // Gets rows of rules in order, so that they are not kept.
  using Sink = std::function<void(std::span<const uint32_t>)>;

  explicit SortedRules(size_t scores, Sink sink = {}) : scores_(scores), sink_(std::move(sink)) {}

  // Source sides in strictly ascending order (a prefix before its extensions), each followed by at
  // least one rule. Throws std::invalid_argument, and ModelError past the limits of a store.
  void begin_source(std::span<const Symbol> symbols, float count);
  void add_rule(const StoredRule& rule);
  // Ends the last source side. Nothing but parts can be added afterwards.
  void finish();
  // Appends rules that are finished, whose source sides come after all here.
  void append(SortedRules&& part);

  bool empty() const noexcept { return rules_ == 0 && source_.empty(); }
  // All sections of a store but the rows, which the sink has got. After `finish`.
  void write(ContainerWriter& container);

  // The rules of a part as bytes, for another process of the same machine type; after `finish`,
  // without a sink. Reading throws FormatError for bytes that are not consistent.
  std::string to_bytes() const;
  static SortedRules from_bytes(std::span<const char> bytes, size_t scores);

 private:
  struct Level {
    std::vector<StoredNode> nodes;
    std::vector<float> source_counts;
  };

  size_t stride() const noexcept { return RuleStore::kRowHead + scores_; }
  size_t common_prefix(std::span<const Symbol> next) const;
  void end_source();
  void hand_over();
  uint32_t intern_links(std::span<const RuleLink> links);
  std::vector<uint32_t> intern_all(const SortedRules& part);
  void append_trie(const SortedRules& part, size_t common);
  void append_counts(const SortedRules& part);
  bool consistent() const;
  void write_trie(ContainerWriter& container);
  void write_source_counts(ContainerWriter& container) const;

  size_t scores_;
  Sink sink_;
  // levels_[d] holds the nodes of depth d + 1 in order; first_child is an index within its level.
  std::vector<Level> levels_;
  std::vector<Symbol> first_, source_;  // the first and the current source side
  bool open_ = false;                   // whether rules can be added to the current source side
  double source_sum_ = 0;               // sum of its rules' counts
  bool keep_source_counts_ = false;
  uint32_t rules_ = 0;
  std::vector<uint32_t> rows_;  // not handed over yet: the last one may have to be marked
  std::vector<uint16_t> lhs_;
  std::vector<float> counts_;

  std::vector<RuleLink> links_;  // concatenated alignments, each with its list_head
  FlatMap<uint64_t, uint32_t> links_by_hash_;
};

}  // namespace demotic::rules
