// The rules of a source side that fit a reference: all their target words stand in it, in order.
// Found once a sentence and source side. One object a thread.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "demotic/base/flat_map.h"
#include "demotic/force/rules_by_word.h"

namespace demotic::force {

// The target side is words, gap, words, gap, words, where there may be less of each.
struct ForcedRule {
  RuleId rule;
  int32_t lhs;
  uint32_t words;                             // its target words, see ForcedRules::words
  uint32_t first = 0, count = 0;              // without gaps: where they stand, see places
  std::array<uint8_t, kMaxGaps + 1> sizes{};  // how many words before, between and behind gaps
  std::array<uint8_t, kMaxGaps> gaps{};       // numbers on the source side, in target order
  uint8_t arity = 0;
};

class ForcedRules {
 public:
  explicit ForcedRules(const RuleStore& rules) : rules_(rules), by_word_(rules) {}

  // Forgets the sentence before. Rules that were seen in this pair alone are left out; -1: none.
  void begin(std::span<const WordId> reference, int32_t pair);

  // Valid until the next call.
  std::span<const ForcedRule> of(TrieNode node);
  // Whether it has a rule that is not left out.
  bool usable(TrieNode node) const noexcept;

  // Whether so many words of a rule stand at a place of the reference.
  bool stand(uint32_t words, int32_t count, int32_t at) const noexcept {
    if (at < 0 || at + count > static_cast<int32_t>(reference_.size())) return false;
    for (int32_t i = 0; i < count; ++i)
      if (words_[words + i] != reference_[at + i]) return false;
    return true;
  }
  std::span<const uint16_t> places(const ForcedRule& rule) const noexcept {
    return std::span(places_).subspan(rule.first, rule.count);
  }
  // Where a word stands, from the first to the last place; -1 behind that.
  int32_t first_place(WordId word) const noexcept {
    return static_cast<size_t>(word) < heads_.size() ? heads_[word] : -1;
  }
  int32_t next_place(int32_t place) const noexcept { return next_[place]; }

 private:
  struct Place {
    uint32_t first = 0, count = 0;
  };

  bool left_out(RuleId rule) const noexcept {
    return pair_ >= 0 && rules_.only_sentence(rule) == pair_;
  }
  void add(RuleId rule);
  bool split(RuleId rule, ForcedRule& made);
  bool in_order(const ForcedRule& made) const noexcept;
  void find_places(ForcedRule& made);

  const RuleStore& rules_;
  RulesByWord by_word_;
  std::vector<WordId> reference_;
  int32_t pair_ = -1;
  std::vector<int32_t> heads_;    // by word
  std::vector<int32_t> next_;     // by place
  std::vector<WordId> distinct_;  // words of the reference, in rising order
  std::vector<RuleId> found_;
  FlatMap<TrieNode, Place> by_node_;
  std::vector<ForcedRule> made_;
  std::vector<WordId> words_;
  std::vector<uint16_t> places_;
};

}  // namespace demotic::force
