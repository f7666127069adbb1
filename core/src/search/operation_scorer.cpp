#include "demotic/search/operation_scorer.h"

#include <numbers>

namespace demotic::search {

OperationScorer::OperationScorer(const PhraseModel& model, std::span<const double> weights)
    : model_(model), lm_(*model.operations()), memo_(lm_) {
  const DenseLayout& features = model.features();
  numbers_ = {features.number<OperationSequence>(), features.number<OperationGaps>(),
              features.number<OperationOpenGaps>(), features.number<OperationGapWidth>(),
              features.number<OperationDeletions>()};
  gap_ = lm_.find(move_name(Move::kGap, 0));
  forward_ = lm_.find(move_name(Move::kForward, 0));
  const OperationStep next{OperationStep::kContinue, 0, 0, 0};
  const auto unused = [](int32_t) { return std::string_view(); };
  continue_ = lm_.find(found_.name(next, unused, unused));
  for (int32_t gaps = 0; gaps <= kMaxBack; ++gaps)
    back_[gaps] = lm_.find(move_name(Move::kBack, gaps));
  reweigh(weights);
  forget();
}

void OperationScorer::reweigh(std::span<const double> weights) {
  for (size_t i = 0; i < numbers_.size(); ++i)
    weights_[i] = static_cast<float>(weights[numbers_[i]]);
}

void OperationScorer::forget() {
  steps_.clear();
  phrases_.clear();
  given_.clear();
  add_phrase(std::array{Step{0, true, false, kUnknown}}, 1);  // kCopied
  add_phrase(std::array{Step{0, false, true, kUnknown}}, 1);  // kDropped
}

uint32_t OperationScorer::prepare(RuleId rule, std::span<const WordId> source) {
  const RuleStore& rules = model_.rules();
  rules.target(rule, target_);
  links_.clear();
  for (const RuleLink link : rules.links(rule)) links_.push_back({link.source, link.target});
  found_.find(static_cast<int32_t>(source.size()), static_cast<int32_t>(target_.size()), links_);
  made_.clear();
  const Vocabulary& words = model_.vocabulary();
  for (const OperationStep& step : found_.steps()) {
    const std::string_view name = found_.name(
        step, [&](int32_t i) { return words.word(source[i]); },
        [&](int32_t i) { return words.word(target_[i]); });
    made_.push_back({static_cast<int16_t>(step.source), step.kind == OperationStep::kGenerate,
                     step.kind == OperationStep::kDelete, lm_.find(name)});
  }
  add_phrase(made_, static_cast<int32_t>(source.size()));
  return static_cast<uint32_t>(phrases_.size() - 1);
}

uint32_t OperationScorer::prepare_given(int32_t source_words) {
  const auto [phrase, fresh] = given_.insert(source_words);
  if (!fresh) return phrase;
  phrase = static_cast<uint32_t>(phrases_.size());
  made_.clear();
  for (int16_t i = 0; i < source_words; ++i)
    made_.push_back({i, i == 0, false, i == 0 ? kUnknown : continue_});
  add_phrase(made_, source_words);
  return phrase;
}

void OperationScorer::add_phrase(std::span<const Step> steps, int32_t length) {
  Phrase phrase{.first = static_cast<uint32_t>(steps_.size()),
                .count = static_cast<uint32_t>(steps.size()),
                .words = length};
  steps_.insert(steps_.end(), steps.begin(), steps.end());
  int32_t next = 0;
  for (const Step& step : steps) {
    phrase.in_order &= step.source < 0 || step.source == next++;
    phrase.deletions += step.deletes;
  }
  string_.reset(length);
  LmState state;
  walk(string_, phrase, 0, phrase.counts,
       [&](WordId operation) { phrase.context_free += lm_.score(state, operation, state); });
  phrases_.push_back(phrase);
}

template <typename Query>
void OperationScorer::walk(SourceString& string, const Phrase& phrase, int32_t begin,
                           Counts& counts, Query&& query) const {
  for (const Step& step : std::span(steps_).subspan(phrase.first, phrase.count)) {
    if (step.source >= 0) {
      string.move(begin + step.source, [&](Move move, int32_t gaps) {
        counts.gaps += move == Move::kGap;
        query(move == Move::kGap       ? gap_
              : move == Move::kForward ? forward_
                                       : back_[std::min(gaps, kMaxBack)]);
      });
      string.generate();
    }
    query(step.operation);
    counts.deletions += step.deletes;
    if (!step.generates) continue;
    counts.open_gaps += string.open_gaps();
    counts.width += std::max(0, begin + step.source - string.first_open());
  }
}

template <typename Query>
int32_t OperationScorer::run(const CoverageTable& coverage, CoverageId covered, int32_t length,
                             int32_t position, const Phrase& phrase, int32_t begin, Counts& counts,
                             Query&& query) {
  const int32_t first = coverage.first_open(covered), end = coverage.end(covered);
  if (phrase.in_order && first == end && position == begin && first == begin) {
    for (uint32_t i = 0; i < phrase.count; ++i) query(steps_[phrase.first + i].operation);
    counts.deletions = phrase.deletions;
    return begin + phrase.words;
  }
  string_.load(length, first, end, position,
               [&](int32_t i) { return coverage.covers(covered, i); });
  walk(string_, phrase, begin, counts, query);
  return string_.position();
}

float OperationScorer::query(LmState& state, WordId operation) noexcept {
  const Extension& extension =
      memo_(state, operation, [](const LanguageModel& lm, LmState from, WordId next) {
        Extension made;
        made.score = lm.score(from, next, made.to);
        return made;
      });
  state = extension.to;
  return extension.score;
}

float OperationScorer::weighted(const Counts& counts) const noexcept {
  return -(weights_[1] * static_cast<float>(counts.gaps) +
           weights_[2] * static_cast<float>(counts.open_gaps) +
           weights_[3] * static_cast<float>(counts.width) +
           weights_[4] * static_cast<float>(counts.deletions));
}

void OperationScorer::add(const Counts& counts, std::span<double> values) const noexcept {
  values[numbers_[1]] -= counts.gaps;
  values[numbers_[2]] -= counts.open_gaps;
  values[numbers_[3]] -= counts.width;
  values[numbers_[4]] -= counts.deletions;
}

float OperationScorer::extend(const CoverageTable& coverage, CoverageId covered, int32_t length,
                              OperationState from, uint32_t phrase, int32_t begin,
                              OperationState& to) {
  Counts counts;
  float score = 0;
  to.lm = from.lm;
  to.position = run(coverage, covered, length, from.position, phrases_[phrase], begin, counts,
                    [&](WordId operation) { score += query(to.lm, operation); });
  return weights_[0] * score + weighted(counts);
}

float OperationScorer::end(OperationState from) {
  return weights_[0] * query(from.lm, kSentenceEnd);
}

float OperationScorer::context_free(uint32_t phrase) const noexcept {
  return weights_[0] * phrases_[phrase].context_free + weighted(phrases_[phrase].counts);
}

OperationState OperationScorer::add_values(const CoverageTable& coverage, CoverageId covered,
                                           int32_t length, OperationState from, uint32_t phrase,
                                           int32_t begin, std::span<double> values) {
  Counts counts;
  double log10 = 0;
  from.position =
      run(coverage, covered, length, from.position, phrases_[phrase], begin, counts,
          [&](WordId operation) { log10 += lm_.score_log10(from.lm, operation, from.lm); });
  values[numbers_[0]] += std::numbers::ln10 * log10;
  add(counts, values);
  return from;
}

void OperationScorer::add_end_values(OperationState from, std::span<double> values) const {
  values[numbers_[0]] += std::numbers::ln10 * lm_.score_log10(from.lm, kSentenceEnd, from.lm);
}

void OperationScorer::add_context_free_values(uint32_t phrase, std::span<double> values) const {
  values[numbers_[0]] += phrases_[phrase].context_free;
  add(phrases_[phrase].counts, values);
}

}  // namespace demotic::search
