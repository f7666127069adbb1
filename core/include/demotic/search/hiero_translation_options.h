// The translation options of each matching source side, with everything that does not depend on the
// tails summed up in advance; cached between sentences as in phrase_translation_options.h. Source
// sides with a rule that has sparse features of both itself and the words of a span, or that is
// held out for a training sentence, have separate options per span of the sentence. Sparse features
// of the span alone are not part of options. Not thread-safe; use one instance per thread.
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
  RuleId rule;         // or one of the constants of RuleStep
  float score = 0;     // weighted: rule scores, penalties, sparse features but those of the span
  float estimate = 0;  // plus the context-free language model score
  ChartPhrase target;  // prepared on first use
  bool mixed = false;  // may have sparse features of both the rule and the span
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
  // Changes the dense weights and reads the sparse ones again. Invalidates earlier results.
  void reweigh(std::span<const double> weights);
  // See RuleRanker::share.
  void share(SharedChoices& choices) noexcept { ranker_.share(choices); }
  // The options of a source side on a span, by left-hand side; valid until the next call.
  std::span<const HieroBlock> of(TrieNode node, int32_t begin, int32_t end);
  // The weighted sparse features of a span, which every option but glue has there.
  float span_score(int32_t begin, int32_t end);
  // One option that copies a word; valid for the sentence.
  HieroBlock copied(const SourceSentences& source, int32_t position, bool known);
  // Options given by the user for a span; valid for the sentence.
  HieroBlock given(const SourceSentences& source, const SentenceConstraints& constraints,
                   const SentenceConstraints::OnSpan& one);
  // The options of a block for which keep(rule) is true; valid for the sentence.
  template <typename Keep>
  HieroBlock filtered(const HieroBlock& block, Keep&& keep);
  HieroBlock glue_first() const noexcept { return {-1, 0, 1}; }
  HieroBlock glue_next() const noexcept { return {-1, 1, 1}; }

  const HieroTranslationOption& operator[](uint32_t option) const noexcept {
    return option < kOfSentence ? cached_[option] : sentence_options_[option - kOfSentence];
  }
  // The same, with its target side prepared; most options are never requested.
  const HieroTranslationOption& prepared(uint32_t option) {
    HieroTranslationOption& one =
        option < kOfSentence ? cached_[option] : sentence_options_[option - kOfSentence];
    if (one.target.number == kNone) prepare(one);
    return one;
  }
  // Bit k: whether gap k is reordered. For prepared options of rules, if the model has features of
  // gaps.
  uint8_t reordered_gaps(const HieroTranslationOption& option) const noexcept {
    return reordered_gaps_[option.target.number];
  }
  ChartLm& lm() noexcept { return ranker_.lm(); }
  SparseSums& sparse() noexcept { return ranker_.sparse(); }

 private:
  struct BlockRange {
    uint32_t first = 0, count = 0;  // blocks
    bool mixed = false;             // some rule has features of itself and the span
  };
  // Numbers of the sentence's own options begin here.
  static constexpr uint32_t kOfSentence = uint32_t{1} << 31;
  // About 25 MB in total with one language model.
  static constexpr size_t kMaxCached = size_t{1} << 19, kMaxPrepared = size_t{1} << 17;

  void forget();
  BlockRange cached_blocks(TrieNode node);
  void add_block(std::span<const RuleId> rules, int32_t lhs);
  void prepare(HieroTranslationOption& option);
  void enter_span(int32_t begin, int32_t end);
  bool holds_out(const BlockRange& range) const;
  std::span<const HieroTranslationOption> options_of(const BlockRange& range) const;
  HieroTranslationOption option_of(const RankedRule& chosen);
  // The number of the next option of the sentence.
  uint32_t next_own() const noexcept {
    return kOfSentence + static_cast<uint32_t>(sentence_options_.size());
  }
  void add_options(TrieNode node, const HieroBlock& block);
  void add_sentence_block(TrieNode node, const HieroBlock& block, int32_t begin, int32_t end);
  void list_rules(TrieNode node);
  HieroTranslationOption glue_option(RuleId kind);
  float glue_score(RuleId kind) const;

  const HieroModel& model_;
  RuleRanker<ChartLm> ranker_;

  // Cached between sentences; glue comes first.
  FlatMap<TrieNode, BlockRange> ranges_;
  std::vector<HieroBlock> blocks_;
  std::vector<HieroTranslationOption> cached_;
  // Cached when weights change.
  FlatMap<RuleId, ChartPhrase> prepared_;
  std::vector<uint8_t> reordered_gaps_;  // by number of the prepared target side
  size_t copies_ = 0;                    // copied words, whose target sides take memory too

  // The current sentence and its own options.
  SentenceWords context_{};
  int32_t pair_ = -1;
  std::vector<HieroBlock> sentence_blocks_;
  std::vector<HieroTranslationOption> sentence_options_;
  // The last requested span.
  int32_t begin_ = -1, end_ = -1;
  FlatMap<TrieNode, BlockRange> sentence_ranges_;

  // Scratch.
  std::vector<Symbol> symbols_;
  std::vector<RuleId> rules_;
};

template <typename Keep>
HieroBlock HieroTranslationOptions::filtered(const HieroBlock& block, Keep&& keep) {
  HieroBlock kept{block.lhs, next_own(), 0};
  for (uint32_t i = block.first; i < block.first + block.count; ++i) {
    const HieroTranslationOption option = (*this)[i];
    if (!keep(option.rule)) continue;
    sentence_options_.push_back(option);
    ++kept.count;
  }
  return kept;
}

}  // namespace demotic::search
