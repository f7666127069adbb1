// The rules that fit both sides of a pair, with every place where their target words stand in the
// reference: all that forced search of phrases chooses from.
//
// One object a thread; what it gives is valid until the next call.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "demotic/force/target_index.h"
#include "demotic/search/search_model.h"

namespace demotic::force {

// Source words [begin, end) by `size` reference words from `at` on.
struct GoldPhrase {
  RuleId rule;  // kNoRule: the word is copied
  uint16_t begin, end, at, size;
};

class GoldPhrases {
 public:
  explicit GoldPhrases(const SearchModel& model);

  // Matches all rules but those that stand in this very pair alone, if its number is known. Words
  // without a rule of their own are copied, as in PhraseTranslationOptions. Sides have at most
  // 65,535 words.
  void build(const SourceSentences& source, size_t sentence);

  // Whether there is a source word in no rule, which is not copied either.
  bool unknown_word() const noexcept { return unknown_word_; }
  // Whether each word of either side is in one of the phrases.
  bool covers_both() const noexcept { return covers_both_; }

  // Arranges what may be part of a whole derivation: phrases that a chain of phrases links with
  // both ends of the reference. False if they leave a source word out.
  bool arrange_whole();
  // The same for beginnings of the pair: no phrase from the first word on that none covers.
  void arrange_beginnings();

  // Of those arranged. Phrases at a place of the reference, 0 to its length, by begin.
  std::span<const GoldPhrase> at(int32_t place) const noexcept {
    return std::span(arranged_).subspan(starts_[place], starts_[place + 1] - starts_[place]);
  }
  std::span<const GoldPhrase> arranged() const noexcept { return arranged_; }

 private:
  // Reference words, and their hash for the index.
  struct Stretch {
    uint64_t hash;
    uint16_t place, size;
    uint16_t longer;  // how many from the same place follow
  };
  // A rule that may fit. All of a pair are collected before the first is looked at, so that what
  // they lie in can be fetched in time.
  struct Proposal {
    RuleId rule;
    uint16_t begin, end;
    int32_t place;
    uint32_t size;  // kAnySize: it may stand anywhere, or not at all
  };
  static constexpr uint32_t kAnySize = UINT32_MAX;

  void index_reference(std::span<const WordId> reference);
  void match(int32_t pair);
  bool any_left(RuleRange rules, int32_t pair) const noexcept;
  void propose_rules(const RuleMatch& match);
  void propose_indexed(const RuleMatch& match);
  bool propose_copies(int32_t word);
  void settle(int32_t pair);
  void add_where_it_stands(const Proposal& proposal);
  bool stands_at(const TargetSide& target, int32_t place) const noexcept;
  void add(const Proposal& proposal, int32_t place, size_t size);
  void find_covered();
  void arrange();
  void find_chains();
  template <typename Keep>
  void narrow(Keep&& keep);
  bool covers_source() const noexcept;

  const SearchModel& model_;
  TargetIndex index_;
  std::vector<int32_t> first_of_word_;  // by word: its first place in the reference, or -1

  // Of the pair.
  std::span<const WordId> source_, reference_;
  std::vector<Stretch> stretches_;
  std::vector<int32_t> next_of_word_;  // by place: the next one with the same word, or -1
  std::vector<RuleMatch> matches_;
  std::vector<uint32_t> begun_stretches_;  // of the rules of a match
  std::vector<Proposal> proposals_;        // by begin
  std::vector<GoldPhrase> found_;          // by begin
  bool unknown_word_ = false, covers_both_ = false;
  std::vector<uint8_t> covered_;       // by source word: whether a phrase has it
  std::vector<uint8_t> begun_, ends_;  // by place: linked with the start, with the end

  std::vector<GoldPhrase> arranged_;
  std::vector<uint32_t> starts_;
};

}  // namespace demotic::force
