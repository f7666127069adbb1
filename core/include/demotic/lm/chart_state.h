// The two-sided state of a partial translation whose left neighbour is not known yet, as Hiero
// needs it (the semantics of KenLM's left.hh; Heafield, Hoang, Koehn, Kiso & Federico 2011).
//
// The left state keeps the first words as long as their probabilities could still change with more
// left context. A state is `full` once a later word has its final score, except for backoff weights
// of longer contexts, which are added when these become known. For any bracketing, the sum over a
// sentence equals that of scoring it from left to right.
#pragma once

#include <array>
#include <cstdint>

#include "demotic/lm/language_model.h"

namespace demotic::lm {

// A word of the left state, and its score so far, which is determined by the words up to it.
struct LeftWord {
  WordId word = 0;
  float score = 0;
};

struct ChartState {
  std::array<LeftWord, kMaxLmOrder - 1> left{};
  int32_t length = 0;  // words of the left state
  LmState right;
  bool full = false;

  LeftWord at(int32_t i) const noexcept { return left[i]; }
  void add(LeftWord word) noexcept { left[length++] = word; }
  // Equal states have equal futures.
  friend bool operator==(const ChartState& a, const ChartState& b) noexcept {
    if (a.length != b.length || a.right != b.right || a.full != b.full) return false;
    for (int32_t i = 0; i < a.length; ++i)
      if (a.left[i].word != b.left[i].word) return false;
    return true;
  }
  uint64_t hash() const noexcept;
};

// Scores the right-hand side of a rule symbol by symbol. Use one object per rule application; cheap
// to create. `Model` is a LanguageModel or has its interface, `State` is a ChartState or has the
// same members except `left`.
template <typename Model, typename State = ChartState>
class BasicChartScorer {
 public:
  explicit BasicChartScorer(Model& model) noexcept : model_(&model) {}
  // Continues from another scorer.
  BasicChartScorer(Model& model, const State& state, float score) noexcept
      : model_(&model), state_(state), score_(score) {}

  // Starts with <s>; only allowed before anything else.
  void start() noexcept {
    state_.right = model_->begin_state();
    state_.full = true;
  }
  void terminal(WordId word) noexcept { step(model_->match(state_.right, word), word); }
  // `score` is what finish() returned for the piece; with 0, only the change by joining is counted.
  template <typename Piece>
  void nonterminal(const Piece& piece, float score) noexcept;
  const Model& model() const noexcept { return *model_; }
  // The total log score so far, and the state.
  float finish(State& state) const noexcept {
    state = state_;
    return score_;
  }
  float score() const noexcept { return score_; }
  const State& state() const noexcept { return state_; }

 private:
  void step(const LmMatch& match, WordId word) noexcept;

  Model* model_;
  State state_;
  float score_ = 0;
};

using ChartScorer = BasicChartScorer<const LanguageModel>;

// Appends one word. As long as the left state is open, all words so far are in both states.
template <typename Model, typename State>
void BasicChartScorer<Model, State>::step(const LmMatch& match, WordId word) noexcept {
  const float score = kLn10 * match.log10;
  score_ += score;
  if (!state_.full) {
    const bool may_change = match.extends_left && match.length == state_.length + 1;
    if (may_change) state_.add({word, score});
    // A right state that did not grow no longer contains the left edge.
    state_.full = !may_change || model_->length(match.next) != state_.length;
  }
  state_.right = match.next;
}

template <typename Model, typename State>
template <typename Piece>
void BasicChartScorer<Model, State>::nonterminal(const Piece& piece, float score) noexcept {
  score_ += score;
  if (state_.right.node == 0) {
    // This state does not affect the piece; if it is empty, the piece's left state becomes ours.
    if (!state_.full) {
      for (int32_t i = 0; i < piece.length; ++i) state_.add(piece.at(i));
      state_.full = piece.full;
    }
    state_.right = piece.right;
    return;
  }
  for (int32_t i = 0; i < piece.length; ++i) {
    const auto [word, before] = piece.at(i);
    score_ -= before;
    step(model_->match(state_.right, word), word);
    if (model_->length(state_.right) <= i + 1) {
      // The earlier context is dropped: what follows already has its final score.
      state_.full = true;
      state_.right = piece.right;
      return;
    }
  }
  if (!piece.full) return;
  // The first word after the left state backs off through all contexts that are longer.
  float backoff = 0;
  while (model_->length(state_.right) > piece.length)
    state_.right = model_->back_off(state_.right, backoff);
  score_ += kLn10 * backoff;
  state_.full = true;
  state_.right = piece.right;
}

}  // namespace demotic::lm
