#include "demotic/search/chart_lm.h"

#include <numbers>

namespace demotic::search {
namespace {

// A state consists of a head and at most order - 1 words.
std::vector<uint32_t> places_of(std::span<const LanguageModel> models) {
  std::vector<uint32_t> places{0};
  for (const LanguageModel& lm : models)
    places.push_back(places.back() + static_cast<uint32_t>(lm.order()));
  return places;
}

}  // namespace

ChartLm::ChartLm(const SearchModel& model, std::span<const double> weights)
    : weights_(weights.begin(), weights.end()),
      prefixes_(places_of(model.language_models())),
      states_(prefixes_),
      candidates_(prefixes_) {
  for (const LanguageModel& lm : model.language_models()) memos_.emplace_back(lm);
}

void ChartLm::forget() {
  symbols_.clear();
  sides_.clear();
  prefixes_.shrink(0);
}

void ChartLm::new_sentence() {
  states_.shrink(0);
  candidates_.shrink(0);
}

ChartPhrase ChartLm::prepare(std::span<const Symbol> symbols, uint32_t length) {
  const ChartPhrase phrase{static_cast<uint32_t>(prefixes_.size())};
  prefixes_.add();
  for (size_t model = 0; model < memos_.size(); ++model) {
    const std::span<const Symbol> own = symbols.subspan(model * length, length);
    Side side{.first = static_cast<uint32_t>(symbols_.size()),
              .length = static_cast<uint16_t>(length)};
    symbols_.insert(symbols_.end(), own.begin(), own.end());
    while (side.prefix < length && !is_gap(own[side.prefix])) ++side.prefix;
    Scorer scorer(memos_[model], {prefixes_.of(phrase.number, model)}, 0);
    for (uint32_t i = 0; i < side.prefix; ++i) scorer.terminal(own[i]);
    side.score = scorer.score();
    scorer.state().close();
    LmState state;
    for (uint32_t i = side.prefix; i < length; ++i) {
      if (is_gap(own[i])) {
        state = {};
        continue;
      }
      const LmMatch match = memos_[model].match(state, own[i]);
      side.rest += kLn10 * match.log10;
      state = match.next;
    }
    sides_.push_back(side);
  }
  return phrase;
}

float ChartLm::context_free(ChartPhrase phrase) const noexcept {
  std::array<float, kMax> scores;
  for (size_t model = 0; model < memos_.size(); ++model)
    scores[model] = side(phrase, model).score + side(phrase, model).rest;
  return weighted(scores);
}

// Sums in the same order as `prepare`. Bypasses the cache, which is for repeated words.
void ChartLm::score_context_free(std::span<const Symbol> symbols, uint32_t length,
                                 std::span<float> scores) const noexcept {
  for (size_t model = 0; model < memos_.size(); ++model) {
    float prefix = 0, rest = 0;
    float* sum = &prefix;
    LmState state;
    for (const Symbol symbol : symbols.subspan(model * length, length)) {
      if (is_gap(symbol)) {
        sum = &rest;
        state = {};
        continue;
      }
      *sum += memos_[model].model().score(state, symbol, state);
    }
    scores[model] = prefix + rest;
  }
}

float ChartLm::weighted(std::span<const float> scores) const noexcept {
  float score = 0;
  for (size_t model = 0; model < memos_.size(); ++model) score += weights_[model] * scores[model];
  return score;
}

float ChartLm::run(size_t model, ChartPhrase phrase, std::span<const uint32_t> tails, bool starts,
                   uint64_t* to) {
  const Side& own = side(phrase, model);
  Scorer scorer(memos_[model], {to}, 0);
  uint32_t i = 0;
  if (starts) {
    scorer.start();
  } else {
    scorer.nonterminal(Piece::at_head(prefixes_.of(phrase.number, model)), own.score);
    i = own.prefix;
  }
  const Symbol* symbols = symbols_.data() + own.first;
  for (; i < own.length; ++i) {
    if (is_gap(symbols[i]))
      scorer.nonterminal(Piece::at_head(states_.of(tails[gap_index(symbols[i])], model)), 0);
    else
      scorer.terminal(symbols[i]);
  }
  scorer.state().close();
  return scorer.score();
}

float ChartLm::combine(ChartPhrase phrase, std::span<const uint32_t> tails, bool starts) {
  candidates_.add();
  const auto made = static_cast<uint32_t>(candidates_.size() - 1);
  float score = 0;
  for (size_t model = 0; model < memos_.size(); ++model)
    score += weights_[model] * run(model, phrase, tails, starts, candidates_.of(made, model));
  return score;
}

float ChartLm::run_end(size_t model, const PackedStates& states, uint32_t state, bool started) {
  std::array<uint64_t, kMaxLmOrder> room;
  Scorer scorer(memos_[model], {room.data()}, 0);
  if (!started) scorer.start();
  scorer.nonterminal(Piece::at_head(states.of(state, model)), 0);
  scorer.terminal(kSentenceEnd);
  return scorer.score();
}

float ChartLm::end_of(const PackedStates& states, uint32_t state, bool started) {
  float score = 0;
  for (size_t model = 0; model < memos_.size(); ++model)
    score += weights_[model] * run_end(model, states, state, started);
  return score;
}

void ChartLm::add_values(ChartPhrase phrase, std::span<const uint32_t> tails, bool starts,
                         std::span<double> values) {
  std::array<uint64_t, kMaxLmOrder> room;
  for (size_t model = 0; model < memos_.size(); ++model)
    values[model] += run(model, phrase, tails, starts, room.data());
}

void ChartLm::add_end_values(uint32_t state, bool started, std::span<double> values) {
  for (size_t model = 0; model < memos_.size(); ++model)
    values[model] += run_end(model, states_, state, started);
}

void ChartLm::add_sentence_values(std::span<const WordId> words, size_t length,
                                  std::span<double> values) {
  for (size_t model = 0; model < memos_.size(); ++model) {
    const LanguageModel& lm = memos_[model].model();
    LmState state = lm.begin_state();
    double log10 = 0;
    for (const WordId word : words.subspan(model * length, length))
      log10 += lm.score_log10(state, word, state);
    log10 += lm.score_log10(state, kSentenceEnd, state);
    values[model] += std::numbers::ln10 * log10;
  }
}

}  // namespace demotic::search
