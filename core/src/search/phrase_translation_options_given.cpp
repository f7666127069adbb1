#include <algorithm>
#include <tuple>
#include <utility>

#include "demotic/search/phrase_translation_options.h"

namespace demotic::search {

// Builds the spans of the sentence again, without what is not allowed and with what is given.
void PhraseTranslationOptions::constrain(const SourceSentences& source,
                                         const SentenceConstraints& constraints) {
  const std::vector<PhraseSpan> old_spans = std::exchange(spans_, {});
  const std::vector<PhraseTranslationOption> old_options = std::exchange(options_, {});
  unknown_.clear();
  longest_ = 1;
  const auto given = constraints.on_spans();
  auto old = old_spans.begin();
  auto next = given.begin();
  for (int32_t begin = 0; begin + size_t{1} < starts_.size(); ++begin) {
    starts_[begin] = static_cast<uint32_t>(spans_.size());
    for (;;) {
      const int32_t old_end = old != old_spans.end() && old->begin == begin ? old->end : INT32_MAX;
      const int32_t end = std::min(
          old_end, next != given.end() && next->span.begin == begin ? next->span.end : INT32_MAX);
      if (end == INT32_MAX) break;
      const auto from = next;
      while (next != given.end() && next->span.begin == begin && next->span.end == end) ++next;
      std::span<const PhraseTranslationOption> options;
      if (old_end == end) options = std::span(old_options).subspan(old->first, old->count), ++old;
      constrain_span(source, constraints, {begin, end}, options, {from, next});
    }
  }
  starts_.back() = static_cast<uint32_t>(spans_.size());
}

void PhraseTranslationOptions::constrain_span(const SourceSentences& source,
                                              const SentenceConstraints& constraints, WordSpan span,
                                              std::span<const PhraseTranslationOption> old,
                                              std::span<const SentenceConstraints::OnSpan> given) {
  const size_t first = options_.size();
  keep_allowed(constraints, span, old);
  const bool none = options_.size() == first;
  if (none && span.size() == 1 && constraints.may_copy(span.begin))
    options_.push_back(copied_option(source, span.begin));
  for (const SentenceConstraints::OnSpan& one : given) {
    if (one.kind == ConstraintKind::kForbidden) continue;
    if (one.kind == ConstraintKind::kContaining && !none) continue;
    for (uint32_t number = one.first; number < one.first + one.count; ++number)
      options_.push_back(given_option(source, constraints, span, number));
  }
  if (options_.size() == first) return;
  std::sort(options_.begin() + static_cast<int64_t>(first), options_.end(), kBetterRule);
  if (options_.size() == first + 1 && is_copy(options_[first].rule)) unknown_.push_back(span.begin);
  rank(std::span(options_).subspan(first));
  close_span(span.begin, span.end, first);
}

void PhraseTranslationOptions::keep_allowed(const SentenceConstraints& constraints, WordSpan span,
                                            std::span<const PhraseTranslationOption> old) {
  if (!constraints.may_apply({span}, checks_)) return;
  for (const PhraseTranslationOption& option : old) {
    if (is_copy(option.rule)) {
      if (!checks_.contains.empty()) continue;
    } else if (checks_.any()) {
      model_.rules().target(option.rule, target_);
      if (!constraints.fulfils(target_, false, checks_)) continue;
    }
    options_.push_back(option);
  }
}

PhraseTranslationOption PhraseTranslationOptions::given_option(
    const SourceSentences& source, const SentenceConstraints& constraints, WordSpan span,
    uint32_t number) {
  const std::span<const WordId> words = constraints.target(number);
  lm_words_.clear();
  for (int32_t i = 0; i < model_.features().language_models(); ++i)
    for (const WordId word : words) lm_words_.push_back(source.lm_word(model_, i, word));
  PhraseTranslationOption option;
  option.rule = constraints.rule(number);
  std::tie(option.score, option.dense) = ranker_.given_scores(
      option.rule, constraints.log_probability(number), context_, span.begin, span.end);
  option.words = lm().prepare(lm_words_, static_cast<uint32_t>(words.size()));
  const float lm_score = lm().context_free(option.words);
  option.estimate = option.score + lm_score;
  option.dense += lm_score;
  if (operations_) option.operations = operations_->prepare_given(span.end - span.begin);
  add_operations(option);
  return option;
}

}  // namespace demotic::search
