#include "demotic/search/phrase_options.h"

#include <algorithm>
#include <bit>

namespace demotic {
PhraseOptions::PhraseOptions(const PhraseModel& model, std::span<const double> weights,
                             const PhraseSearchOptions& options)
    : model_(model),
      weights_(weights.begin(), weights.end()),
      limits_(options),
      lm_(model,
          weights.subspan(model.features().language_model(0), model.features().language_models)) {
  forget();
}

uint64_t PhraseOptions::TripleHash::operator()(const Triple& triple) const noexcept {
  uint64_t hash = 0;
  for (const float value : triple) hash = mix64(hash ^ std::bit_cast<uint32_t>(value));
  return hash;
}

void PhraseOptions::forget() {
  blocks_.clear();
  kept_.clear();
  forward_.assign(1, Triple{});
  forward_classes_.clear();
  lm_.forget(0);
  kept_words_ = 0;
}

void PhraseOptions::build(const SourceSentences& source, size_t sentence) {
  const std::span<const WordId> words = source[sentence];
  lm_.new_sentence();
  lm_.forget(kept_words_);
  if (kept_.size() > kMaxKept) forget();
  spans_.clear();
  options_.clear();
  starts_.assign(words.size() + 1, 0);
  longest_ = 1;
  matches_.clear();
  match_phrases(model_.rules(), words, matches_);

  const int32_t length = static_cast<int32_t>(words.size());
  std::vector<int32_t> unknown;
  auto match = matches_.begin();
  for (int32_t begin = 0; begin < length; ++begin) {
    starts_[begin] = static_cast<uint32_t>(spans_.size());
    const bool known = match != matches_.end() && match->begin == begin && match->end == begin + 1;
    if (!known) unknown.push_back(begin), add_span(begin, begin + 1, {});
    for (; match != matches_.end() && match->begin == begin; ++match) {
      const Block block = options_of(match->rules);
      add_span(begin, match->end, std::span(kept_).subspan(block.first, block.count));
    }
  }
  starts_[length] = static_cast<uint32_t>(spans_.size());
  // Their words are forgotten with the sentence, so they come after all that is kept.
  kept_words_ = lm_.prepared();
  for (const int32_t position : unknown) add_copied(source, words[position], position);
}

void PhraseOptions::add_span(int32_t begin, int32_t end, std::span<const PhraseOption> options) {
  PhraseSpan span{begin,
                  end,
                  static_cast<uint32_t>(options_.size()),
                  static_cast<uint32_t>(options.size()),
                  {}};
  if (!options.empty())
    for (int o = 0; o < kOrientations; ++o)
      span.lead[o] = options[0].estimate + options[0].backward[o];
  options_.insert(options_.end(), options.begin(), options.end());
  for (size_t i = span.first; i < options_.size(); ++i)
    options_[i].span = static_cast<uint32_t>(spans_.size());
  spans_.push_back(span);
  longest_ = std::max(longest_, end - begin);
}

void PhraseOptions::add_copied(const SourceSentences& source, WordId word, int32_t position) {
  const PhraseFeatures& features = model_.features();
  PhraseOption option;
  option.score = static_cast<float>(weights_[features.unknown_word()] * kUnknownWordValue);
  lm_words_.clear();
  if (!limits_.drop_unknown) {
    option.score -= static_cast<float>(weights_[features.word_penalty()]);
    for (int32_t i = 0; i < features.language_models; ++i)
      lm_words_.push_back(source.lm_word(model_, i, word));
  }
  option.words = lm_.prepare(lm_words_, limits_.drop_unknown ? 0 : 1);
  option.estimate = option.score + lm_.alone(option.words);
  PhraseSpan& span = spans_[starts_[position]];
  span.first = static_cast<uint32_t>(options_.size());
  span.count = 1;
  span.lead.fill(option.estimate);
  option.span = starts_[position];
  options_.push_back(option);
}

PhraseOptions::Block PhraseOptions::options_of(RuleRange rules) {
  const auto [block, fresh] = blocks_.insert(rules.begin);
  if (!fresh) return block;
  const size_t first = kept_.size(), words = lm_.prepared();
  for (RuleId rule = rules.begin; rule < rules.end; ++rule) {
    kept_.push_back(option_of(rule));
    lm_.forget(words);  // most are not chosen
  }
  const auto begin = kept_.begin() + static_cast<ptrdiff_t>(first);
  // Equal estimates keep the order of the rules, so the choice does not depend on the sort.
  const auto better = [](const PhraseOption& a, const PhraseOption& b) {
    return a.estimate != b.estimate ? a.estimate > b.estimate : a.rule < b.rule;
  };
  size_t count = rules.size();
  if (limits_.rule_limit > 0 && count > static_cast<size_t>(limits_.rule_limit)) {
    count = limits_.rule_limit;
    std::nth_element(begin, begin + static_cast<ptrdiff_t>(count), kept_.end(), better);
    kept_.resize(first + count);
  }
  std::sort(begin, kept_.end(), better);
  for (size_t i = first; i < kept_.size(); ++i) {
    kept_[i].words = prepare(kept_[i].rule);
    if (model_.has_forward())
      kept_[i].forward = forward_class(model_.rules().scores(kept_[i].rule));
  }
  block = {static_cast<uint32_t>(first), static_cast<uint32_t>(count)};
  return block;
}

LmPhrase PhraseOptions::prepare(RuleId rule) {
  const TargetSide target = model_.rules().target(rule);
  lm_words_.clear();
  for (int32_t i = 0; i < model_.features().language_models; ++i)
    for (const Symbol word : target) lm_words_.push_back(model_.lm_word(i, word));
  return lm_.prepare(lm_words_, static_cast<uint32_t>(target.size()));
}

PhraseOption PhraseOptions::option_of(RuleId rule) {
  const PhraseFeatures& features = model_.features();
  const std::span<const float> scores = model_.rules().scores(rule);
  PhraseOption option;
  option.rule = rule;
  option.words = prepare(rule);
  double score =
      weights_[features.phrase_penalty()] - weights_[features.word_penalty()] * option.words.length;
  for (const int32_t column : model_.local()) score += weights_[column] * scores[column];
  option.score = static_cast<float>(score);
  option.estimate = option.score + lm_.alone(option.words);
  check_estimate(rule, option.estimate);
  if (model_.has_backward())
    for (int o = 0; o < kOrientations; ++o) {
      const int32_t column = model_.backward()[o];
      option.backward[o] = static_cast<float>(weights_[column] * scores[column]);
    }
  return option;
}

uint32_t PhraseOptions::forward_class(std::span<const float> scores) {
  Triple triple;
  for (int o = 0; o < kOrientations; ++o) triple[o] = scores[model_.forward()[o]];
  const auto [id, fresh] = forward_classes_.insert(triple);
  if (fresh) {
    id = static_cast<uint32_t>(forward_.size());
    for (int o = 0; o < kOrientations; ++o)
      triple[o] = static_cast<float>(weights_[model_.forward()[o]] * triple[o]);
    forward_.push_back(triple);
  }
  return id;
}

}  // namespace demotic
