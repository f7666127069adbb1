// The Hiero rules of a source side that fit a reference: all their target words occur in it, in
// order. Found once per sentence and source side. Not thread-safe; use one instance per thread.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "demotic/base/flat_map.h"
#include "demotic/force/reference_index.h"
#include "demotic/force/rules_by_word.h"

namespace demotic::force {

// The target side is words, gap, words, gap, words; each of them may be missing.
struct ForcedRule {
  RuleId rule;
  int32_t lhs;
  uint32_t words;                             // the first target word, see ForcedRules::has
  uint32_t first = 0, count = 0;              // without gaps: see ForcedRules::positions
  std::array<uint8_t, kMaxGaps + 1> sizes{};  // numbers of words before, between and after gaps
  std::array<uint8_t, kMaxGaps> gaps{};       // numbers on the source side, in target order
  uint8_t arity = 0;
};

class ForcedRules {
 public:
  explicit ForcedRules(const RuleStore& rules)
      : rules_(rules), reference_(rules), by_word_(rules) {}

  // See ReferenceIndex. Forgets the sentence before.
  void begin(std::span<const WordId> reference, int32_t pair);
  const ReferenceIndex& reference() const noexcept { return reference_; }

  // Valid until the next call.
  std::span<const ForcedRule> of(TrieNode node);

  // Whether the reference has `count` target words of a rule, from number `words` on, at a
  // position.
  bool has(uint32_t words, int32_t count, int32_t at) const noexcept {
    return reference_.has(std::span(words_).subspan(words, count), at);
  }
  // Of a rule without gaps, in the reference.
  std::span<const uint16_t> positions(const ForcedRule& rule) const noexcept {
    return std::span(positions_).subspan(rule.first, rule.count);
  }

 private:
  struct Range {
    uint32_t first = 0, count = 0;
  };

  void add(RuleId rule);
  bool split(RuleId rule, ForcedRule& made);
  bool in_order(const ForcedRule& made) const noexcept;

  const RuleStore& rules_;
  ReferenceIndex reference_;
  RulesByWord by_word_;
  std::vector<WordId> distinct_;  // words of the reference, in rising order
  std::vector<RuleId> found_;
  FlatMap<TrieNode, Range> by_node_;
  std::vector<ForcedRule> made_;
  std::vector<WordId> words_;
  std::vector<uint16_t> positions_;
};

}  // namespace demotic::force
