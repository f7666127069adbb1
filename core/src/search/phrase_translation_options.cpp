#include "demotic/search/phrase_translation_options.h"

#include <algorithm>
#include <bit>
#include <numeric>

#include "demotic/search/best_first.h"

namespace demotic::search {
PhraseTranslationOptions::PhraseTranslationOptions(const PhraseModel& model,
                                                   std::span<const double> weights,
                                                   const PhraseSearchOptions& options)
    : model_(model), limits_(options), ranker_(model, weights, options.rule_limit) {
  if (model.operations()) operations_.emplace(model, weights);
  forget();
}

uint64_t PhraseTranslationOptions::TripleHash::operator()(const Triple& triple) const noexcept {
  uint64_t hash = 0;
  for (const float value : triple) hash = mix64(hash ^ std::bit_cast<uint32_t>(value));
  return hash;
}

void PhraseTranslationOptions::forget() {
  blocks_.clear();
  cached_.clear();
  prepared_.clear();
  forward_classes_.clear();
  forward_scores_.assign(1, Triple{});
  forward_.assign(1, Triple{});
  lm().forget(0);
  if (operations_) operations_->forget();
  cached_words_ = 0;
}

void PhraseTranslationOptions::reweigh(std::span<const double> weights) {
  ranker_.reweigh(weights);
  if (operations_) operations_->reweigh(weights);
  blocks_.clear();
  cached_.clear();
  for (size_t i = 1; i < forward_.size(); ++i) forward_[i] = weighted_forward(forward_scores_[i]);
}

void PhraseTranslationOptions::build(const SourceSentences& source, size_t sentence) {
  context_ = source.context(sentence);
  pair_ = source.pair(sentence);
  lm().new_sentence();
  sparse().new_sentence();
  lm().forget(cached_words_);
  if (prepared_.size() > kMaxCached) forget();
  spans_.clear();
  options_.clear();
  unknown_.clear();
  starts_.assign(context_.words.size() + 1, 0);
  longest_ = 1;
  matches_.clear();
  model_.rules().match(context_.words, matches_);
  for (const RuleMatch& match : matches_) model_.rules().prefetch(match.rules.begin);

  const int32_t length = static_cast<int32_t>(context_.words.size());
  auto match = matches_.begin();
  for (int32_t begin = 0; begin < length; ++begin) {
    starts_[begin] = static_cast<uint32_t>(spans_.size());
    const bool known = match != matches_.end() && match->begin == begin &&
                       match->end == begin + 1 && add_span(*match++);
    if (!known) unknown_.push_back(begin), spans_.push_back({begin, begin + 1, 0, 0, {}, 0});
    for (; match != matches_.end() && match->begin == begin; ++match) add_span(*match);
  }
  starts_[length] = static_cast<uint32_t>(spans_.size());
  // Copied words are dropped with the sentence, so they come after everything that is cached.
  cached_words_ = lm().prepared();
  for (const int32_t position : unknown_) add_copied(source, position);
  if (const SentenceConstraints* constraints = source.constraints(sentence))
    constrain(source, *constraints);
}

// Returns whether the span has options.
bool PhraseTranslationOptions::add_span(const RuleMatch& match) {
  const size_t first = options_.size();
  add_options(match);
  const std::span<PhraseTranslationOption> made = std::span(options_).subspan(first);
  if (made.empty()) return false;
  if (operations_) std::sort(made.begin(), made.end(), kBetterRule);
  if (sparse())
    ranker_.add_sentence_features(made, context_, match.begin, match.end,
                                  sparse().span(context_, match.begin, match.end));
  if (operations_ || sparse() || pair_ >= 0) rank(made);  // else as cached
  close_span(match.begin, match.end, first);
  return true;
}

// Cube pruning walks along the options in the order of what they contribute to a candidate, and the
// backward score is a part of it.
void PhraseTranslationOptions::rank(std::span<PhraseTranslationOption> options) {
  for (int o = 0; o < kOrientations; ++o) {
    ranks_.clear();
    for (const PhraseTranslationOption& option : options)
      ranks_.push_back(uint64_t{~ordered_bits(option.estimate + option.backward[o])} << 32 |
                       ranks_.size());
    std::ranges::sort(ranks_);
    for (size_t i = 0; i < options.size(); ++i)
      options[i].ranked[o] = static_cast<uint32_t>(ranks_[i]);
  }
}

// Makes a span of the options from `first` on, of which there must be some, best first.
void PhraseTranslationOptions::close_span(int32_t begin, int32_t end, size_t first) {
  const std::span<PhraseTranslationOption> made = std::span(options_).subspan(first);
  for (PhraseTranslationOption& option : made) option.span = static_cast<uint32_t>(spans_.size());
  const auto future = std::ranges::max_element(made, {}, &PhraseTranslationOption::dense);
  PhraseSpan span{begin,
                  end,
                  static_cast<uint32_t>(first),
                  static_cast<uint32_t>(made.size()),
                  {},
                  static_cast<uint32_t>(first + (future - made.begin()))};
  for (int o = 0; o < kOrientations; ++o) {
    const PhraseTranslationOption& best = made[made[0].ranked[o]];
    span.lead[o] = best.estimate + best.backward[o];
  }
  spans_.push_back(span);
  longest_ = std::max(longest_, end - begin);
}

PhraseTranslationOption PhraseTranslationOptions::copied_option(const SourceSentences& source,
                                                                int32_t position) {
  const uint32_t words = limits_.drop_unknown ? 0 : 1;
  lm_words_.clear();
  if (words > 0)
    for (int32_t i = 0; i < model_.features().language_models(); ++i)
      lm_words_.push_back(source.lm_word(model_, i, context_.words[position]));
  PhraseTranslationOption option;
  option.score =
      ranker_.copy_score(kUnknownCopied, static_cast<int32_t>(words), context_, position);
  option.words = lm().prepare(lm_words_, words);
  const float lm_score = lm().context_free(option.words);
  option.estimate = option.score + lm_score;
  option.dense = ranker_.dense_copy_score(kUnknownCopied, static_cast<int32_t>(words)) + lm_score;
  option.operations = words > 0 ? OperationScorer::kCopied : OperationScorer::kDropped;
  add_operations(option);
  return option;
}

void PhraseTranslationOptions::add_copied(const SourceSentences& source, int32_t position) {
  PhraseTranslationOption option = copied_option(source, position);
  PhraseSpan& span = spans_[starts_[position]];
  span.first = static_cast<uint32_t>(options_.size());
  span.count = 1;
  span.future = span.first;
  span.lead.fill(option.estimate);
  option.span = starts_[position];
  options_.push_back(option);
}

// The best of the rules without those held out for the sentence.
void PhraseTranslationOptions::add_options(const RuleMatch& match) {
  const RuleRange rules = match.rules;
  source_ = context_.words.subspan(match.begin, match.end - match.begin);
  ranker_.append_without(
      pair_, options_of(rules), options_, [&] { return listed(rules); },
      [&](const RankedRule& chosen) { return option_of(chosen); });
}

std::span<const RuleId> PhraseTranslationOptions::listed(RuleRange rules) {
  rules_.resize(rules.size());
  std::iota(rules_.begin(), rules_.end(), rules.begin);
  return rules_;
}

// The best of the rules, independent of the sentence.
std::span<const PhraseTranslationOption> PhraseTranslationOptions::options_of(RuleRange rules) {
  const auto [block, fresh] = blocks_.insert(rules.begin);
  if (fresh) {
    const std::span<const RankedRule> best = ranker_.best(listed(rules));
    block = {static_cast<uint32_t>(cached_.size()), static_cast<uint32_t>(best.size())};
    for (const RankedRule& chosen : best) cached_.push_back(option_of(chosen));
    rank(std::span(cached_).subspan(block.first));
  }
  return std::span(cached_).subspan(block.first, block.count);
}

PhraseTranslationOption PhraseTranslationOptions::option_of(const RankedRule& chosen) {
  const std::span<const float> scores = model_.rules().scores(chosen.rule);
  const auto [known, fresh] = prepared_.insert(chosen.rule);
  if (fresh) {
    const auto [words, length] = ranker_.lm_target(chosen.rule);
    known = {lm().prepare(words, length), model_.has_forward() ? forward_class(scores) : 0,
             operations_ ? operations_->prepare(chosen.rule, source_) : 0};
  }
  PhraseTranslationOption option{.rule = chosen.rule,
                                 .score = chosen.score,
                                 .estimate = chosen.estimate,
                                 .dense = chosen.dense,
                                 .forward = known.forward,
                                 .words = known.words,
                                 .operations = known.operations};
  add_operations(option);
  if (model_.has_backward())
    for (int o = 0; o < kOrientations; ++o) {
      const int32_t column = model_.backward()[o];
      option.backward[o] = static_cast<float>(ranker_.weights()[column] * scores[column]);
    }
  return option;
}

void PhraseTranslationOptions::add_operations(PhraseTranslationOption& option) const {
  if (!operations_) return;
  const float score = operations_->context_free(option.operations);
  option.estimate += score;
  option.dense += score;
  check_estimate(option.rule, option.estimate);
}

uint32_t PhraseTranslationOptions::forward_class(std::span<const float> scores) {
  Triple triple;
  for (int o = 0; o < kOrientations; ++o) triple[o] = scores[model_.forward()[o]];
  const auto [id, fresh] = forward_classes_.insert(triple);
  if (fresh) {
    id = static_cast<uint32_t>(forward_.size());
    forward_scores_.push_back(triple);
    forward_.push_back(weighted_forward(triple));
  }
  return id;
}

PhraseTranslationOptions::Triple PhraseTranslationOptions::weighted_forward(
    const Triple& scores) const noexcept {
  Triple weighted;
  for (int o = 0; o < kOrientations; ++o)
    weighted[o] = static_cast<float>(ranker_.weights()[model_.forward()[o]] * scores[o]);
  return weighted;
}

}  // namespace demotic::search
