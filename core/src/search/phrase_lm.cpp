#include "demotic/search/phrase_lm.h"

#include <numbers>

namespace demotic::search {

PhraseLm::PhraseLm(const SearchModel& model, std::span<const double> weights)
    : models_(model.language_models()), weights_(weights.begin(), weights.end()) {
  for (const LanguageModel& lm : models_) memos_.emplace_back(lm);
  new_sentence();
}

uint64_t PhraseLm::TupleHash::operator()(const Tuple& tuple) const noexcept {
  uint64_t hash = 0;
  for (const LmState state : tuple) hash = mix64(hash ^ state.node);
  return hash;
}

LmPhrase PhraseLm::prepare(std::span<const WordId> words, uint32_t length) {
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

void PhraseLm::new_sentence() {
  tuples_.clear();
  tuple_ids_.clear();
  Tuple begin{};
  for (size_t model = 0; model < models_.size(); ++model)
    begin[model] = models_[model].begin_state();
  begin_ = models_.size() == 1 ? begin[0].node : intern(begin);
}

uint32_t PhraseLm::intern(const Tuple& states) {
  const auto [id, fresh] = tuple_ids_.insert(states);
  if (fresh) {
    id = static_cast<uint32_t>(tuples_.size());
    tuples_.push_back(states);
  }
  return id;
}

PhraseLm::Tuple PhraseLm::states(uint32_t from) const noexcept {
  return models_.size() == 1 ? Tuple{LmState{from}} : tuples_[from];
}

float PhraseLm::extend_all(uint32_t from, LmPhrase phrase, uint32_t& to) {
  Tuple after = states(from);
  float score = 0;
  for (size_t model = 0; model < models_.size(); ++model)
    score += weights_[model] * walk(model, words(model, phrase), phrase.length, after[model]);
  to = intern(after);
  return score;
}

float PhraseLm::end(uint32_t from) {
  Tuple after = states(from);
  float score = 0;
  for (size_t model = 0; model < models_.size(); ++model)
    score += weights_[model] * query(model, after[model], kSentenceEnd, after[model]);
  return score;
}

float PhraseLm::context_free(LmPhrase phrase) const noexcept {
  std::array<float, kMax> scores;
  for (size_t model = 0; model < models_.size(); ++model)
    scores[model] = words(model, phrase)->rest;
  return weighted(scores);
}

// Sums in the same order as `prepare`, from the last word to the first.
void PhraseLm::score_context_free(std::span<const WordId> words, uint32_t length,
                                  std::span<float> scores) const noexcept {
  std::array<float, kMaxTargetSymbols> each;
  for (size_t model = 0; model < models_.size(); ++model) {
    LmState state = models_[model].empty_state();
    for (uint32_t i = 0; i < length; ++i)
      each[i] = models_[model].score(state, words[model * length + i], state);
    float sum = 0;
    for (uint32_t i = length; i-- > 0;) sum = each[i] + sum;
    scores[model] = sum;
  }
}

float PhraseLm::weighted(std::span<const float> scores) const noexcept {
  float score = 0;
  for (size_t model = 0; model < models_.size(); ++model) score += weights_[model] * scores[model];
  return score;
}

uint32_t PhraseLm::add_values(uint32_t from, LmPhrase phrase, std::span<double> values) {
  Tuple after = states(from);
  for (size_t model = 0; model < models_.size(); ++model)
    for (uint32_t i = 0; i < phrase.length; ++i)
      values[model] +=
          std::numbers::ln10 *
          models_[model].score_log10(after[model], words(model, phrase)[i].word, after[model]);
  return models_.size() == 1 ? after[0].node : intern(after);
}

void PhraseLm::add_context_free_values(LmPhrase phrase, std::span<double> values) const noexcept {
  for (size_t model = 0; model < models_.size(); ++model)
    values[model] += words(model, phrase)->rest;
}

void PhraseLm::add_end_values(uint32_t from, std::span<double> values) {
  Tuple after = states(from);
  for (size_t model = 0; model < models_.size(); ++model)
    values[model] +=
        std::numbers::ln10 * models_[model].score_log10(after[model], kSentenceEnd, after[model]);
}

}  // namespace demotic::search
