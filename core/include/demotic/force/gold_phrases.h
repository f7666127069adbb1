// The phrases that forced decoding of a pair chooses from: all rules that match both sides, with
// every position of the reference where their target words occur. Not thread-safe; use one instance
// per thread. Results are valid until the next call.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "demotic/force/reference_index.h"
#include "demotic/force/target_index.h"
#include "demotic/search/search_model.h"

namespace demotic::force {

// Translates source words [begin, end) to `size` words of the reference from position `at` on.
struct GoldPhrase {
  RuleId rule;  // kNoRule: the word is copied
  uint16_t begin, end, at, size;
};

class GoldPhrases {
 public:
  explicit GoldPhrases(const SearchModel& model)
      : rules_(model.rules()), reference_(rules_), index_(rules_) {}

  // Matches all rules but those that were seen in this pair alone, if its number is known. Words
  // without a rule of their own are copied, as in PhraseTranslationOptions. Sides have at most
  // 65,535 words.
  void build(const SourceSentences& source, size_t sentence);

  // Whether a source word is in no rule and cannot be copied either.
  bool unknown_word() const noexcept { return unknown_word_; }
  // Whether each word of either side is in one of the phrases.
  bool covers_both() const noexcept { return covers_both_; }

  // Selects the phrases that may be part of a derivation of the whole pair: those that a chain of
  // phrases links with both ends of the reference. False if no selected phrase has some source
  // word.
  bool select_for_pair();
  // The same for prefixes of the pair: chains begin with the reference, and no phrase lies behind
  // a source word that none covers.
  void select_for_prefixes();

  // Selected phrases at a position of the reference, 0 to its length, by begin.
  std::span<const GoldPhrase> at(int32_t position) const noexcept {
    return std::span(selected_).subspan(starts_[position],
                                        starts_[position + 1] - starts_[position]);
  }
  std::span<const GoldPhrase> selected() const noexcept { return selected_; }

 private:
  // An n-gram of the reference, with its hash in the index.
  struct Ngram {
    uint64_t hash;
    uint16_t at, size;
    uint16_t longer;  // how many that begin at the same position follow
  };
  // A rule that may match. All of a pair are collected before the first is checked, so that their
  // target sides can be prefetched.
  struct Proposal {
    RuleId rule;
    uint16_t begin, end;
    int32_t at;
    uint32_t size;  // kAnywhere: at any position, or at none
  };
  static constexpr uint32_t kAnywhere = UINT32_MAX;

  void find_ngrams();
  void propose();
  void propose_rules(const RuleMatch& match);
  void propose_indexed(const RuleMatch& match);
  bool propose_copies(int32_t word);
  void check_proposals();
  void add_matches(const Proposal& proposal);
  void add(const Proposal& proposal, int32_t at, size_t size);
  void find_covered();
  void sort_by_position();
  void find_chains();
  template <typename Keep>
  void keep_if(Keep&& keep);
  bool covers_source() const noexcept;

  const RuleStore& rules_;
  ReferenceIndex reference_;
  TargetIndex index_;

  // Of the pair.
  std::span<const WordId> source_;
  std::vector<Ngram> ngrams_;
  std::vector<RuleMatch> matches_;
  std::vector<uint32_t> indexed_ngrams_;  // that may begin a target side of a match
  std::vector<Proposal> proposals_;       // by begin
  std::vector<GoldPhrase> found_;         // by begin
  bool unknown_word_ = false, covers_both_ = false;
  std::vector<uint8_t> covered_;              // by source word: whether a phrase has it
  std::vector<uint8_t> from_start_, to_end_;  // by position: whether a chain links them

  std::vector<GoldPhrase> selected_;
  std::vector<uint32_t> starts_;
};

}  // namespace demotic::force
