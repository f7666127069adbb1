// The reference of a pair: where each of its words occurs, and which rules the pair may use. Not
// thread-safe; use one instance per thread.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "demotic/rules/rule_store.h"

namespace demotic::force {

class ReferenceIndex {
 public:
  explicit ReferenceIndex(const RuleStore& rules) : rules_(rules) {}

  // `pair`: its number in the bitext; rules that were seen in this pair alone are not usable. -1:
  // unknown, all rules are usable.
  void begin(std::span<const WordId> reference, int32_t pair) {
    for (const WordId word : words_) firsts_[word] = -1;
    words_.assign(reference.begin(), reference.end());
    pair_ = pair;
    next_.resize(words_.size());
    for (int32_t at = size(); at-- > 0;) {
      const auto word = static_cast<size_t>(words_[at]);
      if (firsts_.size() <= word) firsts_.resize(word + 1, -1);
      next_[at] = std::exchange(firsts_[word], at);
    }
  }

  std::span<const WordId> words() const noexcept { return words_; }
  int32_t size() const noexcept { return static_cast<int32_t>(words_.size()); }
  int32_t pair() const noexcept { return pair_; }

  // The positions of a word in rising order; -1 after the last.
  int32_t first(WordId word) const noexcept {
    return static_cast<size_t>(word) < firsts_.size() ? firsts_[word] : -1;
  }
  int32_t next(int32_t at) const noexcept { return next_[at]; }

  // Whether the reference has these words at a position.
  template <typename Words>
  bool has(const Words& words, int32_t at) const noexcept {
    if (at < 0 || static_cast<size_t>(at) + words.size() > words_.size()) return false;
    const WordId* word = words_.data() + at;
    for (const Symbol symbol : words)
      if (symbol != *word++) return false;
    return true;
  }

  // visit(position) for all positions at which the reference has these words; every position has no
  // words.
  template <typename Words, typename Visit>
  void for_each_position(const Words& words, Visit&& visit) const {
    if (words.empty())
      for (int32_t at = 0; at <= size(); ++at) visit(at);
    else
      for (int32_t at = first(*words.begin()); at >= 0; at = next(at))
        if (has(words, at)) visit(at);
  }

  bool usable(RuleId rule) const noexcept {
    return pair_ < 0 || rules_.only_sentence(rule) != pair_;
  }
  bool any_usable(RuleRange range) const noexcept {
    for (RuleId rule = range.begin; rule < range.end; ++rule)
      if (usable(rule)) return true;
    return false;
  }

 private:
  const RuleStore& rules_;
  std::vector<WordId> words_;
  int32_t pair_ = -1;
  std::vector<int32_t> firsts_;  // by word
  std::vector<int32_t> next_;    // by position
};

}  // namespace demotic::force
