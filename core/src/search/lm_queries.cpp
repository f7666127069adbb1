#include "demotic/search/lm_queries.h"

namespace demotic::search {
namespace {

constexpr double kNaturalLog10 = 2.302585092994046;

}  // namespace

LmQueries::LmQueries(const SearchModel& model, std::span<const double> weights)
    : models_(model.language_models()),
      weights_(weights.begin(), weights.end()),
      memo_(models_.size(), std::vector<Memo>(size_t{1} << kMemoBits)) {
  new_sentence();
}

uint64_t LmQueries::TupleHash::operator()(const Tuple& tuple) const noexcept {
  uint64_t hash = 0;
  for (const LmState state : tuple) hash = mix64(hash ^ state.node);
  return hash;
}

LmPhrase LmQueries::prepare(std::span<const WordId> words, uint32_t length) {
  const LmPhrase phrase{static_cast<uint32_t>(words_.size()), length};
  for (size_t model = 0; model < models_.size(); ++model) {
    const size_t first = words_.size();
    LmState state = models_[model].empty_state();
    for (uint32_t i = 0; i < length; ++i) {
      const WordId word = words[model * length + i];
      words_.push_back({word, state, 0});
      words_.back().rest = models_[model].score(state, word, state);
    }
    words_.push_back({0, state, 0});
    for (size_t i = first + length; i-- > first;) words_[i].rest += words_[i + 1].rest;
  }
  return phrase;
}

void LmQueries::new_sentence() {
  tuples_.clear();
  tuple_ids_.clear();
  Tuple begin{};
  for (size_t model = 0; model < models_.size(); ++model)
    begin[model] = models_[model].begin_state();
  begin_ = models_.size() == 1 ? begin[0].node : intern(begin);
}

uint32_t LmQueries::intern(const Tuple& states) {
  const auto [id, fresh] = tuple_ids_.insert(states);
  if (fresh) {
    id = static_cast<uint32_t>(tuples_.size());
    tuples_.push_back(states);
  }
  return id;
}

LmQueries::Tuple LmQueries::states(uint32_t from) const noexcept {
  return models_.size() == 1 ? Tuple{LmState{from}} : tuples_[from];
}

float LmQueries::extend_all(uint32_t from, LmPhrase phrase, uint32_t& to) {
  Tuple after = states(from);
  float score = 0;
  for (size_t model = 0; model < models_.size(); ++model)
    score += weights_[model] * walk(model, words(model, phrase), phrase.length, after[model]);
  to = intern(after);
  return score;
}

float LmQueries::end(uint32_t from) {
  Tuple after = states(from);
  float score = 0;
  for (size_t model = 0; model < models_.size(); ++model)
    score += weights_[model] * query(model, after[model], kSentenceEnd, after[model]);
  return score;
}

float LmQueries::alone(LmPhrase phrase) const noexcept {
  std::array<float, kMax> scores;
  copy_alone(phrase, scores);
  return weighted(scores);
}

void LmQueries::copy_alone(LmPhrase phrase, std::span<float> scores) const noexcept {
  for (size_t model = 0; model < models_.size(); ++model)
    scores[model] = words(model, phrase)->rest;
}

float LmQueries::weighted(std::span<const float> scores) const noexcept {
  float score = 0;
  for (size_t model = 0; model < models_.size(); ++model) score += weights_[model] * scores[model];
  return score;
}

uint32_t LmQueries::add_values(uint32_t from, LmPhrase phrase, std::span<double> values) {
  Tuple after = states(from);
  for (size_t model = 0; model < models_.size(); ++model)
    for (uint32_t i = 0; i < phrase.length; ++i)
      values[model] +=
          kNaturalLog10 *
          models_[model].score_log10(after[model], words(model, phrase)[i].word, after[model]);
  return models_.size() == 1 ? after[0].node : intern(after);
}

void LmQueries::add_alone_values(LmPhrase phrase, std::span<double> values) const noexcept {
  for (size_t model = 0; model < models_.size(); ++model)
    values[model] += words(model, phrase)->rest;
}

void LmQueries::add_end_values(uint32_t from, std::span<double> values) {
  Tuple after = states(from);
  for (size_t model = 0; model < models_.size(); ++model)
    values[model] +=
        kNaturalLog10 * models_[model].score_log10(after[model], kSentenceEnd, after[model]);
}

}  // namespace demotic::search
