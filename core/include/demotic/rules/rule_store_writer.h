// Writes a rule store in two passes: first every target side, then the rules by source side in
// lexicographic order (a prefix before its extensions). Only the trie and the shared alignments are
// kept in memory.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "demotic/base/container.h"
#include "demotic/base/flat_map.h"
#include "demotic/rules/rule_store.h"

namespace demotic::rules {

struct StoredRule {
  uint32_t target;                  // returned by add_target
  std::span<const RuleLink> links;  // sorted
  int32_t occurrences;
  int32_t only_sentence;  // -1 unless occurrences is 1 and the sentence is known
  int32_t lhs;
  std::span<const float> scores;
  // The count of the rule if it differs from `occurrences`: shared counts, or 0 for unknown.
  std::optional<float> count{};
};

class RuleStoreWriter {
 public:
  // `target_words` are all words that target sides may contain; frequent words should come first,
  // see `frequent_first`.
  RuleStoreWriter(const std::string& path, std::vector<std::string> score_names,
                  std::vector<std::string> labels, std::span<const WordId> target_words);

  // All target sides come first. Throws ModelError past 4 GB.
  uint32_t add_target(std::span<const Symbol> symbols, float count);

  // Then source sides in strictly ascending order, each followed by at least one rule.
  void begin_source(std::span<const Symbol> symbols, float count);
  void add_rule(const StoredRule& rule);

  void commit();

 private:
  void finish_targets();
  void end_source();
  uint32_t intern_links(std::span<const RuleLink> links);
  void write_trie();
  void write_source_counts();

  ContainerWriter container_;
  std::vector<std::string> score_names_, labels_;
  TargetEncoder encoder_;
  std::vector<uint8_t> targets_;  // not yet written
  uint64_t target_bytes_ = 0;     // in total
  bool writing_rules_ = false;

  // levels_[d] holds the nodes of depth d + 1 in order; first_child is an index within its level.
  struct Level {
    std::vector<StoredNode> nodes;
    std::vector<float> source_counts;
  };
  std::vector<Level> levels_;
  std::vector<Symbol> source_;  // the current source side
  double source_sum_ = 0;       // sum of its rules' counts
  bool keep_source_counts_ = false;
  uint32_t rules_ = 0;
  std::vector<uint32_t> rows_;  // not yet written: the last one may have to be marked
  std::vector<uint16_t> lhs_;
  std::vector<float> counts_;

  std::vector<RuleLink> links_;  // concatenated alignments, each with its list_head
  FlatMap<uint64_t, uint32_t> links_by_hash_;
};

}  // namespace demotic::rules
