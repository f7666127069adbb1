// The translation options of each phrase of a sentence, with everything that does not depend on the
// neighbouring phrases summed up in advance, including sparse features.
//
// Most of an option depends only on the model and the weights, so the options of a source phrase
// are computed when it first occurs and cached for later sentences, in bounded memory; the result
// does not depend on the state of the cache. For each sentence, sparse features on its words are
// added and held-out rules are removed. Not thread-safe; use one instance per thread.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "demotic/base/flat_map.h"
#include "demotic/search/operation_scorer.h"
#include "demotic/search/phrase_lm.h"
#include "demotic/search/phrase_model.h"
#include "demotic/search/rule_ranker.h"

namespace demotic::search {

// A rule for some source phrase, or a copied word that no rule translates.
struct PhraseTranslationOption {
  // kNoRule: a copied word, or a dropped one if `words` is empty; or a given option, see step.h.
  RuleId rule = kNoRule;
  float score = 0;     // weighted: rule scores, penalties, local sparse features
  float estimate = 0;  // plus the context-free scores of language models and operations
  float dense = 0;     // the estimate without sparse features
  std::array<float, kOrientations> backward{};  // weighted
  uint32_t forward = 0;                         // class, see PhraseTranslationOptions::forward
  LmPhrase words;
  uint32_t operations = 0;  // its steps in the OperationScorer, if there is one
  uint32_t span = 0;        // span of the sentence
  // Of the option at this rank by estimate plus backward score: its distance from the first option.
  std::array<uint32_t, kOrientations> ranked{};
};

// The options of one source phrase, best estimate first.
struct PhraseSpan {
  int32_t begin, end;
  uint32_t first, count;                  // its options
  std::array<float, kOrientations> lead;  // the best estimate plus backward score
  uint32_t future;                        // the option with the best dense estimate
};

class PhraseTranslationOptions {
 public:
  PhraseTranslationOptions(const PhraseModel& model, std::span<const double> weights,
                           const PhraseSearchOptions& options);

  void build(const SourceSentences& source, size_t sentence);
  // Changes the dense weights and reads the sparse ones again. Invalidates earlier results.
  void reweigh(std::span<const double> weights);
  // See RuleRanker::share.
  void share(SharedChoices& choices) noexcept { ranker_.share(choices); }

  // Positions of the words that no rule translates alone, ascending.
  std::span<const int32_t> unknown() const noexcept { return unknown_; }
  // The spans of the sentence, by begin, then end.
  std::span<const PhraseSpan> spans() const noexcept { return spans_; }
  std::span<const PhraseSpan> starting_at(int32_t begin) const noexcept {
    return std::span(spans_).subspan(starts_[begin], starts_[begin + 1] - starts_[begin]);
  }
  // The option at a rank among those from `first` on, by estimate plus backward score.
  uint32_t ranked(uint32_t first, uint32_t rank, Orientation backward) const noexcept {
    return first + options_[first + rank].ranked[backward];
  }
  int32_t longest() const noexcept { return longest_; }
  size_t size() const noexcept { return options_.size(); }
  const PhraseTranslationOption& operator[](uint32_t option) const noexcept {
    return options_[option];
  }

  // Weighted forward scores of a class. Rules with the same three forward scores form a class,
  // because hypotheses that end with them have the same future; class 0 has none.
  const std::array<float, kOrientations>& forward(uint32_t forward_class) const noexcept {
    return forward_[forward_class];
  }
  PhraseLm& lm() noexcept { return ranker_.lm(); }
  // Of the operation sequence model, if the model has one.
  OperationScorer& operations() noexcept { return *operations_; }
  SparseSums& sparse() noexcept { return ranker_.sparse(); }

 private:
  struct Block {
    uint32_t first = 0, count = 0;
  };
  // The part of a rule that does not depend on the weights.
  struct Prepared {
    LmPhrase words;
    uint32_t forward = 0, operations = 0;
  };
  using Triple = std::array<float, kOrientations>;
  struct TripleHash {
    uint64_t operator()(const Triple& triple) const noexcept;
  };
  static constexpr size_t kMaxCached = size_t{1} << 19;  // number of rules

  void add_options(const RuleMatch& match);
  std::span<const PhraseTranslationOption> options_of(RuleRange rules);
  void add_operations(PhraseTranslationOption& option) const;
  void rank(std::span<PhraseTranslationOption> options);
  std::span<const RuleId> listed(RuleRange rules);
  PhraseTranslationOption option_of(const RankedRule& chosen);
  uint32_t forward_class(std::span<const float> scores);
  Triple weighted_forward(const Triple& scores) const noexcept;
  bool add_span(const RuleMatch& match);
  void close_span(int32_t begin, int32_t end, size_t first);
  void add_copied(const SourceSentences& source, int32_t position);
  PhraseTranslationOption copied_option(const SourceSentences& source, int32_t position);

  // In phrase_translation_options_given.cpp: the options that constraints leave, and those they
  // give.
  void constrain(const SourceSentences& source, const SentenceConstraints& constraints);
  void constrain_span(const SourceSentences& source, const SentenceConstraints& constraints,
                      WordSpan span, std::span<const PhraseTranslationOption> old,
                      std::span<const SentenceConstraints::OnSpan> given);
  void keep_allowed(const SentenceConstraints& constraints, WordSpan span,
                    std::span<const PhraseTranslationOption> old);
  PhraseTranslationOption given_option(const SourceSentences& source,
                                       const SentenceConstraints& constraints, WordSpan span,
                                       uint32_t number);
  void forget();

  const PhraseModel& model_;
  const PhraseSearchOptions& limits_;
  RuleRanker<PhraseLm> ranker_;
  std::optional<OperationScorer> operations_;

  // Cached between sentences, by first rule.
  FlatMap<RuleId, Block> blocks_;
  std::vector<PhraseTranslationOption> cached_;
  // Cached when weights change.
  FlatMap<RuleId, Prepared> prepared_;
  FlatMap<Triple, uint32_t, TripleHash> forward_classes_;
  std::vector<Triple> forward_scores_;  // by class, unweighted
  std::vector<Triple> forward_;         // by class, weighted
  size_t cached_words_ = 0;

  // The current sentence.
  SentenceWords context_{};
  int32_t pair_ = -1;
  std::span<const WordId> source_;  // the words of the current span
  std::vector<RuleMatch> matches_;
  std::vector<PhraseSpan> spans_;
  std::vector<uint32_t> starts_;
  std::vector<PhraseTranslationOption> options_;
  std::vector<int32_t> unknown_;
  int32_t longest_ = 0;

  // Scratch.
  std::vector<WordId> lm_words_;
  std::vector<RuleId> rules_;
  std::vector<uint64_t> ranks_;
  std::vector<Symbol> target_;
  TargetChecks checks_;
};

}  // namespace demotic::search
