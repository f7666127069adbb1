// Writes a rule store in two passes: first every target side, then the rules by source side in
// lexicographic order (a prefix before its extensions). Only the trie and the shared alignments are
// kept in memory.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "demotic/base/container.h"
#include "demotic/rules/sorted_rules.h"

namespace demotic::rules {

class RuleStoreWriter {
 public:
  // `target_words` are all words that target sides may contain; frequent words should come first,
  // see `frequent_first`.
  RuleStoreWriter(const std::string& path, std::vector<std::string> score_names,
                  std::vector<std::string> labels, std::span<const WordId> target_words);

  // All target sides come first. Throws ModelError past 4 GB.
  uint32_t add_target(std::span<const Symbol> symbols, float count);
  // The same for target sides that are encoded already; returns the place of the first.
  uint32_t add_targets(std::span<const uint8_t> encoded);

  // Then source sides in strictly ascending order, each followed by at least one rule.
  void begin_source(std::span<const Symbol> symbols, float count) {
    rules_.begin_source(symbols, count);
  }
  void add_rule(const StoredRule& rule);
  // Where others add rules, or parts of rules, in the same way.
  SortedRules& rules() noexcept { return rules_; }

  void commit();

 private:
  uint32_t next_place() const;
  void finish_targets();

  ContainerWriter container_;
  std::vector<std::string> score_names_, labels_;
  TargetEncoder encoder_;
  std::vector<uint8_t> targets_;  // not yet written
  uint64_t target_bytes_ = 0;     // in total
  bool writing_rules_ = false;
  SortedRules rules_;
};

// The place of a target side that follows `bytes` of others. Throws ModelError past 4 GB.
uint32_t target_place(uint64_t bytes);

}  // namespace demotic::rules
