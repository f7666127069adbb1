#include "demotic/lm/chart_state.h"

#include "demotic/base/hash.h"

namespace demotic {

uint64_t ChartState::hash() const noexcept {
  uint64_t hash = mix64(uint64_t{right.node} << 8 | static_cast<uint64_t>(left.length) << 1 | full);
  for (int32_t i = 0; i < left.length; ++i)
    hash = mix64(hash ^ static_cast<uint32_t>(left.words[i]));
  return hash;
}

// One word more on the right. As long as the left is open, all words so far are in both states.
void ChartScorer::step(const LmMatch& match, WordId word) noexcept {
  const float score = kLn10 * match.log10;
  score_ += score;
  if (!state_.full) {
    ChartState::Left& left = state_.left;
    const bool may_change = match.extends_left && match.length == left.length + 1;
    if (may_change) {
      left.words[left.length] = word;
      left.scores[left.length++] = score;
    }
    // A state that did not grow has forgotten the left edge.
    state_.full = !may_change || model_.length(match.next) != left.length;
  }
  state_.right = match.next;
}

void ChartScorer::nonterminal(const ChartState& piece, float score) noexcept {
  score_ += score;
  if (state_.right.node == 0) {
    // Nothing here matters to the piece; if there was nothing at all, its left is ours.
    if (!state_.full) {
      state_.left = piece.left;
      state_.full = piece.full;
    }
    state_.right = piece.right;
    return;
  }
  for (int32_t i = 0; i < piece.left.length; ++i) {
    score_ -= piece.left.scores[i];
    step(model_.match(state_.right, piece.left.words[i]), piece.left.words[i]);
    if (model_.length(state_.right) <= i + 1) {
      // The context from before is forgotten: what follows was scored as it should be.
      state_.full = true;
      state_.right = piece.right;
      return;
    }
  }
  if (!piece.full) return;
  // The first word after the left ones backs off through all contexts that are longer than them.
  float backoff = 0;
  while (model_.length(state_.right) > piece.left.length)
    state_.right = model_.back_off(state_.right, backoff);
  score_ += kLn10 * backoff;
  state_.full = true;
  state_.right = piece.right;
}

}  // namespace demotic
