// The ways to translate each source side that matches, with all that does not depend on the tails
// summed up beforehand; kept from sentence to sentence as in phrase_translation_options.h. Where
// sparse features look at the words of a span, or rules that come from the sentence itself are left
// out, the sentence has options of its own, a set for each source side and span. One object a
// thread.
#pragma once

#include <span>
#include <vector>

#include "demotic/base/flat_map.h"
#include "demotic/search/chart_lm.h"
#include "demotic/search/hiero_model.h"
#include "demotic/search/rule_ranker.h"

namespace demotic::search {

// A rule, a copied word, or glue.
struct HieroTranslationOption {
  RuleId rule;         // or what stands in its place, see RuleStep
  float score = 0;     // weighted: rule scores, penalties, sparse features
  float estimate = 0;  // with its score of the words alone
  ChartPhrase target;  // prepared when the option is first made use of
};

// Options with the same left-hand side, best estimate first.
struct HieroBlock {
  int32_t lhs;
  uint32_t first, count;
};

class HieroTranslationOptions {
 public:
  HieroTranslationOptions(const HieroModel& model, std::span<const double> weights,
                          const HieroSearchOptions& options);

  void new_sentence(const SourceSentences& source, size_t sentence);
  // New dense weights, and whatever the sparse ones are now. What was given is invalid.
  void reweigh(std::span<const double> weights);
  // See RuleRanker::share.
  void share(SharedChoices& choices) noexcept { ranker_.share(choices); }
  // Those of a source side on a span, by left-hand side; valid until the next call.
  std::span<const HieroBlock> of(TrieNode node, int32_t begin, int32_t end);
  // A single option that copies a word; valid for the sentence.
  HieroBlock copied(const SourceSentences& source, int32_t position, bool known);
  HieroBlock glue_first() const noexcept { return {-1, 0, 1}; }
  HieroBlock glue_next() const noexcept { return {-1, 1, 1}; }

  const HieroTranslationOption& operator[](uint32_t option) const noexcept {
    return (has_own_ ? own_ : kept_)[option];
  }
  // The same, with its target side prepared; most are never asked for.
  const HieroTranslationOption& prepared(uint32_t option) {
    HieroTranslationOption& one = (has_own_ ? own_ : kept_)[option];
    if (one.target.number == kNone) prepare(one);
    return one;
  }
  ChartLm& lm() noexcept { return ranker_.lm(); }
  SparseSums& sparse() noexcept { return ranker_.sparse(); }

 private:
  struct Place {
    uint32_t first = 0, count = 0;  // blocks
  };
  // Together some 25 MB with one language model.
  static constexpr size_t kMaxKept = size_t{1} << 19, kMaxPrepared = size_t{1} << 17;

  void forget();
  Place kept_of(TrieNode node);
  void add_block(std::span<const RuleId> rules, int32_t lhs);
  void prepare(HieroTranslationOption& option);
  void enter(int32_t begin, int32_t end);
  void add_own(const HieroBlock& block, int32_t begin, int32_t end);
  HieroTranslationOption glue_option(RuleId kind);
  float glue_score(RuleId kind) const;

  const HieroModel& model_;
  RuleRanker<ChartLm> ranker_;

  // Kept between sentences; glue comes first.
  FlatMap<TrieNode, Place> places_;
  std::vector<HieroBlock> blocks_;
  std::vector<HieroTranslationOption> kept_;
  // Kept between weights.
  FlatMap<RuleId, ChartPhrase> prepared_;
  size_t copies_ = 0;  // words that were copied, whose target sides take room too

  // Of the sentence, if it has options of its own.
  SentenceWords context_{};
  int32_t pair_ = -1;
  bool has_own_ = false;
  std::vector<HieroBlock> own_blocks_;
  std::vector<HieroTranslationOption> own_;
  // Of the span that was asked for last.
  int32_t begin_ = -1, end_ = -1;
  double around_ = 0;  // what sparse features say of its words
  FlatMap<TrieNode, Place> own_places_;

  // Scratch.
  std::vector<Symbol> symbols_;
  std::vector<RuleId> rules_;
};

}  // namespace demotic::search
