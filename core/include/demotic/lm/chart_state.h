// The two-sided state of a piece of translation whose left neighbour is not known yet, as Hiero
// needs it (the semantics of KenLM's left.hh; Heafield, Hoang, Koehn, Kiso & Federico 2011).
//
// The left state keeps the first words as long as their probabilities could still change with more
// context to the left. A piece is `full` when a later word has been scored for good, apart from
// backoff weights of longer contexts, which are added when these become known. Whatever the
// bracketing, the sum over a sentence is that of scoring it from left to right.
#pragma once

#include <array>
#include <cstdint>

#include "demotic/lm/language_model.h"

namespace demotic {

struct ChartState {
  struct Left {
    std::array<WordId, kMaxLmOrder - 1> words{};
    std::array<float, kMaxLmOrder - 1> scores{};  // counted so far; they follow from the words
    int32_t length = 0;
  };
  Left left;
  LmState right;
  bool full = false;

  // Equal states have equal futures.
  friend bool operator==(const ChartState& a, const ChartState& b) noexcept {
    if (a.left.length != b.left.length || a.right != b.right || a.full != b.full) return false;
    for (int32_t i = 0; i < a.left.length; ++i)
      if (a.left.words[i] != b.left.words[i]) return false;
    return true;
  }
  uint64_t hash() const noexcept;
};

// Scores the right side of a rule symbol by symbol. One object a rule application; cheap to make.
class ChartScorer {
 public:
  explicit ChartScorer(const LanguageModel& model) noexcept : model_(model) {}

  // The piece begins with <s>; only before anything else.
  void start() noexcept {
    state_.right = model_.begin_state();
    state_.full = true;
  }
  void terminal(WordId word) noexcept { step(model_.match(state_.right, word), word); }
  // `score` is what finish() gave for the piece.
  void nonterminal(const ChartState& piece, float score) noexcept;
  const LanguageModel& model() const noexcept { return model_; }
  // ln of all so far, and the state.
  float finish(ChartState& state) const noexcept {
    state = state_;
    return score_;
  }

 private:
  void step(const LmMatch& match, WordId word) noexcept;

  const LanguageModel& model_;
  ChartState state_;
  float score_ = 0;
};

}  // namespace demotic
