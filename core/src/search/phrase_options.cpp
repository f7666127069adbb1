#include "demotic/search/phrase_options.h"

#include <algorithm>
#include <bit>
#include <numeric>

namespace demotic::search {
namespace {

std::span<const double> lm_weights(const PhraseModel& model, std::span<const double> weights) {
  return weights.subspan(model.features().language_model(0), model.features().language_models);
}

}  // namespace

PhraseOptions::PhraseOptions(const PhraseModel& model, std::span<const double> weights,
                             const PhraseSearchOptions& options)
    : model_(model),
      weights_(weights.begin(), weights.end()),
      limits_(options),
      lm_(model, lm_weights(model, weights)),
      sparse_(model.sparse()) {
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
  prepared_.clear();
  forward_classes_.clear();
  forward_scores_.assign(1, Triple{});
  forward_.assign(1, Triple{});
  lm_.forget(0);
  kept_words_ = 0;
}

void PhraseOptions::reweigh(std::span<const double> weights) {
  weights_.assign(weights.begin(), weights.end());
  lm_.reweigh(lm_weights(model_, weights));
  sparse_.keep_keys();
  sparse_.new_sentence();
  blocks_.clear();
  kept_.clear();
  for (size_t i = 1; i < forward_.size(); ++i) forward_[i] = weighted_forward(forward_scores_[i]);
}

void PhraseOptions::build(const SourceSentences& source, size_t sentence) {
  context_ = source.context(sentence);
  pair_ = source.pair(sentence);
  lm_.new_sentence();
  sparse_.new_sentence();
  lm_.forget(kept_words_);
  if (prepared_.size() > kMaxKept) forget();
  spans_.clear();
  options_.clear();
  unknown_.clear();
  starts_.assign(context_.words.size() + 1, 0);
  longest_ = 1;
  matches_.clear();
  match_phrases(model_.rules(), context_.words, matches_);

  const int32_t length = static_cast<int32_t>(context_.words.size());
  auto match = matches_.begin();
  for (int32_t begin = 0; begin < length; ++begin) {
    starts_[begin] = static_cast<uint32_t>(spans_.size());
    const bool known = match != matches_.end() && match->begin == begin &&
                       match->end == begin + 1 && add_span(*match++);
    if (!known) unknown_.push_back(begin), spans_.push_back({begin, begin + 1, 0, 0, {}});
    for (; match != matches_.end() && match->begin == begin; ++match) add_span(*match);
  }
  starts_[length] = static_cast<uint32_t>(spans_.size());
  // Their words are forgotten with the sentence, so they come after all that is kept.
  kept_words_ = lm_.prepared();
  for (const int32_t position : unknown_) add_copied(source, position);
}

// Whether the sentence has options there.
bool PhraseOptions::add_span(const RuleMatch& match) {
  const std::span<const PhraseOption> kept = options_of(match.rules);
  const size_t first = options_.size();
  if (pair_ < 0)
    options_.insert(options_.end(), kept.begin(), kept.end());
  else
    std::ranges::copy_if(kept, std::back_inserter(options_), [&](const PhraseOption& option) {
      return model_.rules().only_sentence(option.rule) != pair_;
    });
  const std::span<PhraseOption> made = std::span(options_).subspan(first);
  if (made.empty()) return false;
  if (sparse_) add_sparse(match.begin, match.end, made);
  for (PhraseOption& option : made) option.span = static_cast<uint32_t>(spans_.size());
  PhraseSpan span{
      match.begin, match.end, static_cast<uint32_t>(first), static_cast<uint32_t>(made.size()), {}};
  for (int o = 0; o < kOrientations; ++o) span.lead[o] = made[0].estimate + made[0].backward[o];
  spans_.push_back(span);
  longest_ = std::max(longest_, match.end - match.begin);
  return true;
}

// What sparse features say of the sentence's words, which may change the order.
void PhraseOptions::add_sparse(int32_t begin, int32_t end, std::span<PhraseOption> options) {
  const double weight = weights_[model_.features().sparse()];
  const double around = sparse_.span(context_, begin, end);
  rules_.clear();
  for (const PhraseOption& option : options) rules_.push_back(option.rule);
  const float* joined = sparse_.mixed(rules_, context_, begin, end).data();
  for (PhraseOption& option : options) {
    const auto more = static_cast<float>(weight * (around + *joined++));
    option.score += more;
    option.estimate += more;
    check_estimate(option.rule, option.estimate);
  }
  std::sort(options.begin(), options.end(), kBetterRule);
}

void PhraseOptions::add_copied(const SourceSentences& source, int32_t position) {
  const PhraseFeatures& features = model_.features();
  PhraseOption option;
  double score = weights_[features.unknown_word()] * kUnknownWordValue +
                 weights_[features.phrase_penalty()] * model_.copied_phrase();
  if (sparse_)
    score += weights_[features.sparse()] * sparse_.span(context_, position, position + 1);
  option.score = static_cast<float>(score);
  lm_words_.clear();
  if (!limits_.drop_unknown) {
    option.score -= static_cast<float>(weights_[features.word_penalty()]);
    for (int32_t i = 0; i < features.language_models; ++i)
      lm_words_.push_back(source.lm_word(model_, i, context_.words[position]));
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

// The best of them, whatever the sentence is.
std::span<const PhraseOption> PhraseOptions::options_of(RuleRange rules) {
  const auto [block, fresh] = blocks_.insert(rules.begin);
  if (fresh) {
    const bool shared = others_ && rules.size() >= SharedChoices::kFewest;
    if (!shared || !others_->find(rules.begin, ranked_)) {
      rank(rules);
      if (shared) others_->put(rules.begin, ranked_);
    }
    block = {static_cast<uint32_t>(kept_.size()), static_cast<uint32_t>(ranked_.size())};
    for (const RankedRule& chosen : ranked_) kept_.push_back(option_of(chosen));
  }
  return std::span(kept_).subspan(block.first, block.count);
}

void PhraseOptions::rank(RuleRange rules) {
  ranked_.clear();
  rules_.resize(rules.size());
  std::iota(rules_.begin(), rules_.end(), rules.begin);
  const std::span<const float> sparse = sparse_ ? sparse_.rules(rules_) : std::span<const float>();
  for (uint32_t i = 0; i < rules.size(); ++i)
    ranked_.push_back(ranked(rules.begin + i, sparse_ ? sparse[i] : 0));
  keep_best_rules(ranked_, limits_.rule_limit);
}

RankedRule PhraseOptions::ranked(RuleId rule, float sparse) {
  const PhraseFeatures& features = model_.features();
  const std::span<const float> scores = model_.rules().scores(rule);
  std::array<float, SearchModel::kMaxLanguageModels> alone;
  int32_t words = model_.alone().find(rule, alone);
  if (words < 0) words = score_alone(rule, alone);
  double sum = weights_[features.phrase_penalty()] - weights_[features.word_penalty()] * words;
  for (const int32_t column : model_.local()) sum += weights_[column] * scores[column];
  if (sparse_) sum += weights_[features.sparse()] * sparse;
  const auto score = static_cast<float>(sum);
  const float estimate = score + lm_.weighted(alone);
  check_estimate(rule, estimate);
  return {estimate, score, rule};
}

int32_t PhraseOptions::score_alone(RuleId rule, std::span<float> scores) {
  const size_t before = lm_.prepared();
  const LmPhrase words = prepare(rule);
  lm_.copy_alone(words, scores);
  lm_.forget(before);  // most are not chosen
  model_.alone().put(rule, words.length, scores);
  return static_cast<int32_t>(words.length);
}

PhraseOption PhraseOptions::option_of(const RankedRule& chosen) {
  const std::span<const float> scores = model_.rules().scores(chosen.rule);
  const auto [known, fresh] = prepared_.insert(chosen.rule);
  if (fresh) known = {prepare(chosen.rule), model_.has_forward() ? forward_class(scores) : 0};
  PhraseOption option{.rule = chosen.rule,
                      .score = chosen.score,
                      .estimate = chosen.estimate,
                      .forward = known.forward,
                      .words = known.words};
  if (model_.has_backward())
    for (int o = 0; o < kOrientations; ++o) {
      const int32_t column = model_.backward()[o];
      option.backward[o] = static_cast<float>(weights_[column] * scores[column]);
    }
  return option;
}

LmPhrase PhraseOptions::prepare(RuleId rule) {
  const TargetSide target = model_.rules().target(rule);
  lm_words_.clear();
  for (int32_t i = 0; i < model_.features().language_models; ++i)
    for (const Symbol word : target) lm_words_.push_back(model_.lm_word(i, word));
  return lm_.prepare(lm_words_, static_cast<uint32_t>(target.size()));
}

uint32_t PhraseOptions::forward_class(std::span<const float> scores) {
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

PhraseOptions::Triple PhraseOptions::weighted_forward(const Triple& scores) const noexcept {
  Triple weighted;
  for (int o = 0; o < kOrientations; ++o)
    weighted[o] = static_cast<float>(weights_[model_.forward()[o]] * scores[o]);
  return weighted;
}

}  // namespace demotic::search
