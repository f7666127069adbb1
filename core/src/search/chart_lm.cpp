#include "demotic/search/chart_lm.h"

namespace demotic {

ChartLm::ChartLm(const SearchModel& model, std::span<const double> weights)
    : weights_(weights.begin(), weights.end()), states_(model.language_models().size()) {
  for (const LanguageModel& lm : model.language_models()) memos_.emplace_back(lm);
}

uint64_t ChartLm::TupleHash::operator()(const Tuple& tuple) const noexcept {
  uint64_t hash = 0;
  for (const uint32_t id : tuple) hash = mix64(hash ^ id);
  return hash;
}

uint32_t ChartLm::States::intern(const ChartState& state) {
  for (uint64_t key = state.hash();; ++key) {
    const auto [id, fresh] = ids.insert(key);
    if (fresh) {
      id = static_cast<uint32_t>(states.size());
      states.push_back(state);
      return id;
    }
    if (states[id] == state) return id;
  }
}

uint32_t ChartLm::intern(const Tuple& tuple) {
  const auto [id, fresh] = tuple_ids_.insert(tuple);
  if (fresh) {
    id = static_cast<uint32_t>(tuples_.size());
    tuples_.push_back(tuple);
  }
  return id;
}

void ChartLm::forget(Mark kept) {
  symbols_.resize(kept.symbols);
  prefixes_.resize(kept.prefixes);
}

void ChartLm::new_sentence() {
  for (States& one : states_) one.states.clear(), one.ids.clear();
  tuples_.clear();
  tuple_ids_.clear();
}

ChartPhrase ChartLm::prepare(std::span<const Symbol> symbols, uint32_t length) {
  const ChartPhrase phrase{static_cast<uint32_t>(symbols_.size()),
                           static_cast<uint32_t>(prefixes_.size()), length};
  symbols_.insert(symbols_.end(), symbols.begin(), symbols.end());
  for (size_t model = 0; model < memos_.size(); ++model) {
    const std::span<const Symbol> own = symbols.subspan(model * length, length);
    Prefix prefix;
    while (prefix.length < length && !is_gap(own[prefix.length])) ++prefix.length;
    Scorer scorer(memos_[model]);
    for (uint32_t i = 0; i < prefix.length; ++i) scorer.terminal(own[i]);
    prefix.score = scorer.finish(prefix.state);
    LmState state;
    for (uint32_t i = prefix.length; i < length; ++i) {
      if (is_gap(own[i])) {
        state = {};
        continue;
      }
      const LmMatch match = memos_[model].match(state, own[i]);
      prefix.rest += kLn10 * match.log10;
      state = match.next;
    }
    prefixes_.push_back(prefix);
  }
  return phrase;
}

float ChartLm::alone(ChartPhrase phrase) const noexcept {
  std::array<float, kMax> scores;
  copy_alone(phrase, scores);
  return weighted(scores);
}

void ChartLm::copy_alone(ChartPhrase phrase, std::span<float> scores) const noexcept {
  for (size_t model = 0; model < memos_.size(); ++model) {
    const Prefix& prefix = prefixes_[phrase.prefix + model];
    scores[model] = prefix.score + prefix.rest;
  }
}

float ChartLm::weighted(std::span<const float> scores) const noexcept {
  float score = 0;
  for (size_t model = 0; model < memos_.size(); ++model) score += weights_[model] * scores[model];
  return score;
}

ChartLm::Scorer ChartLm::run(size_t model, ChartPhrase phrase, std::span<const uint32_t> tails,
                             bool starts) {
  const Prefix& prefix = prefixes_[phrase.prefix + model];
  Scorer scorer(memos_[model], prefix.state, prefix.score);
  uint32_t i = prefix.length;
  if (starts) {
    scorer = Scorer(memos_[model]);
    scorer.start();
    i = 0;
  }
  const Symbol* symbols = symbols_.data() + phrase.first + model * phrase.length;
  for (; i < phrase.length; ++i) {
    if (is_gap(symbols[i]))
      scorer.nonterminal(state_of(model, tails[gap_index(symbols[i])]), 0);
    else
      scorer.terminal(symbols[i]);
  }
  return scorer;
}

float ChartLm::combine(ChartPhrase phrase, std::span<const uint32_t> tails, bool starts,
                       uint32_t& state) {
  if (memos_.size() == 1) {
    const Scorer scorer = run(0, phrase, tails, starts);
    state = states_[0].intern(scorer.state());
    return weights_[0] * scorer.score();
  }
  Tuple tuple{};
  float score = 0;
  for (size_t model = 0; model < memos_.size(); ++model) {
    const Scorer scorer = run(model, phrase, tails, starts);
    tuple[model] = states_[model].intern(scorer.state());
    score += weights_[model] * scorer.score();
  }
  state = intern(tuple);
  return score;
}

ChartLm::Scorer ChartLm::run_end(size_t model, uint32_t state, bool started) {
  const ChartState& piece = state_of(model, state);
  Scorer scorer(memos_[model], piece, 0);
  if (!started) {
    scorer = Scorer(memos_[model]);
    scorer.start();
    scorer.nonterminal(piece, 0);
  }
  scorer.terminal(kSentenceEnd);
  return scorer;
}

float ChartLm::end(uint32_t state, bool started) {
  float score = 0;
  for (size_t model = 0; model < memos_.size(); ++model)
    score += weights_[model] * run_end(model, state, started).score();
  return score;
}

void ChartLm::add_values(ChartPhrase phrase, std::span<const uint32_t> tails, bool starts,
                         std::span<double> values) {
  for (size_t model = 0; model < memos_.size(); ++model)
    values[model] += run(model, phrase, tails, starts).score();
}

void ChartLm::add_end_values(uint32_t state, bool started, std::span<double> values) {
  for (size_t model = 0; model < memos_.size(); ++model)
    values[model] += run_end(model, state, started).score();
}

void ChartLm::add_sentence_values(std::span<const WordId> words, size_t length,
                                  std::span<double> values) {
  constexpr double kNaturalLog10 = 2.302585092994046;
  for (size_t model = 0; model < memos_.size(); ++model) {
    const LanguageModel& lm = memos_[model].model();
    LmState state = lm.begin_state();
    double log10 = 0;
    for (const WordId word : words.subspan(model * length, length))
      log10 += lm.score_log10(state, word, state);
    log10 += lm.score_log10(state, kSentenceEnd, state);
    values[model] += kNaturalLog10 * log10;
  }
}

}  // namespace demotic
