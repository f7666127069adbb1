// The ways to translate each phrase of a sentence, with all that does not depend on what stands
// around it in the translation summed up beforehand, sparse features included.
//
// What a source phrase offers anywhere depends on the model and the weights alone, so it is worked
// out when the phrase is first met and kept for later sentences, in bounded memory; the result does
// not depend on what was met before. On the way into a sentence the sparse features that look at
// its words are added, and rules that come from the sentence itself are left out. One object a
// thread.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "demotic/base/flat_map.h"
#include "demotic/search/phrase_lm.h"
#include "demotic/search/phrase_model.h"
#include "demotic/search/rule_ranker.h"

namespace demotic::search {

// A rule used on some source phrase, or a word copied because no rule has it.
struct PhraseTranslationOption {
  RuleId rule = kNoRule;  // kNoRule: the word is copied, or dropped if `words` is empty
  float score = 0;        // weighted: rule scores, penalties, local sparse features
  float estimate = 0;     // with the language model's score of the words alone
  std::array<float, kOrientations> backward{};  // weighted
  uint32_t forward = 0;                         // class, see PhraseTranslationOptions::forward
  LmPhrase words;
  uint32_t span = 0;  // of the sentence, where it is used
};

// The options of one source phrase, best estimate first.
struct PhraseSpan {
  int32_t begin, end;
  uint32_t first, count;                  // options
  std::array<float, kOrientations> lead;  // the first option's estimate and backward score
};

class PhraseTranslationOptions {
 public:
  PhraseTranslationOptions(const PhraseModel& model, std::span<const double> weights,
                           const PhraseSearchOptions& options);

  void build(const SourceSentences& source, size_t sentence);
  // New dense weights, and whatever the sparse ones are now. What was built is invalid.
  void reweigh(std::span<const double> weights);
  // See RuleRanker::share.
  void share(SharedChoices& choices) noexcept { ranker_.share(choices); }

  // Of the sentence: spans by begin, then end.
  std::span<const PhraseSpan> spans() const noexcept { return spans_; }
  std::span<const PhraseSpan> starting_at(int32_t begin) const noexcept {
    return std::span(spans_).subspan(starts_[begin], starts_[begin + 1] - starts_[begin]);
  }
  int32_t longest() const noexcept { return longest_; }
  size_t size() const noexcept { return options_.size(); }
  const PhraseTranslationOption& operator[](uint32_t option) const noexcept {
    return options_[option];
  }

  // Rules with the same three forward scores form a class, because hypotheses that end in them
  // have the same future; class 0 has none. Weighted.
  const std::array<float, kOrientations>& forward(uint32_t forward_class) const noexcept {
    return forward_[forward_class];
  }
  PhraseLm& lm() noexcept { return ranker_.lm(); }
  SparseSums& sparse() noexcept { return ranker_.sparse(); }

 private:
  struct Block {
    uint32_t first = 0, count = 0;
  };
  // What is kept of a rule whatever the weights are.
  struct Prepared {
    LmPhrase words;
    uint32_t forward = 0;
  };
  using Triple = std::array<float, kOrientations>;
  struct TripleHash {
    uint64_t operator()(const Triple& triple) const noexcept;
  };
  static constexpr size_t kMaxKept = size_t{1} << 19;  // rules

  std::span<const PhraseTranslationOption> options_of(RuleRange rules);
  PhraseTranslationOption option_of(const RankedRule& chosen);
  uint32_t forward_class(std::span<const float> scores);
  Triple weighted_forward(const Triple& scores) const noexcept;
  bool add_span(const RuleMatch& match);
  void add_copied(const SourceSentences& source, int32_t position);
  void forget();

  const PhraseModel& model_;
  const PhraseSearchOptions& limits_;
  RuleRanker<PhraseLm> ranker_;

  // Kept between sentences, by first rule.
  FlatMap<RuleId, Block> blocks_;
  std::vector<PhraseTranslationOption> kept_;
  // Kept between weights.
  FlatMap<RuleId, Prepared> prepared_;
  FlatMap<Triple, uint32_t, TripleHash> forward_classes_;
  std::vector<Triple> forward_scores_;  // by class, without weights
  std::vector<Triple> forward_;         // with them
  size_t kept_words_ = 0;

  // Of the sentence.
  SentenceWords context_{};
  int32_t pair_ = -1;
  std::vector<RuleMatch> matches_;
  std::vector<PhraseSpan> spans_;
  std::vector<uint32_t> starts_;
  std::vector<PhraseTranslationOption> options_;
  int32_t longest_ = 0;

  // Scratch.
  std::vector<int32_t> unknown_;
  std::vector<WordId> lm_words_;
  std::vector<RuleId> rules_;
};

}  // namespace demotic::search
