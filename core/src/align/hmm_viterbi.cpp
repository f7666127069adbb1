#include <algorithm>
#include <limits>

#include "demotic/align/hmm.h"
#include "demotic/base/clones.h"

namespace demotic::align {
namespace {

// The best path to each column from the previous states, given their scores.
struct Step {
  std::vector<float> score;   // by column
  std::vector<int32_t> from;  // state
};

// transition[s * stride + c] = p(c | s)
void fill_transitions(const Grid& grid, const JumpTable& jumps, std::vector<float>& transition) {
  transition.assign(int64_t{grid.columns + 1} * grid.stride, 0);
  for (int32_t s = 0; s <= grid.columns; ++s) {
    const double total = jumps.total(s - 1, grid.columns);
    for (int32_t c = 0; c < grid.columns; ++c) {
      const double jump = (1 - jumps.uniform()) * jumps.weight(c - s + 1) / total;
      transition[int64_t{s} * grid.stride + c] =
          static_cast<float>(jump + jumps.uniform() / grid.columns);
    }
  }
}

DEMOTIC_CLONES
void best_step(const float* score, const float* transition, int32_t states, int32_t stride,
               Step& step) {
  std::fill(step.score.begin(), step.score.end(), 0.0f);
  float* best = step.score.data();
  int32_t* from = step.from.data();
  for (int32_t s = 0; s < states; ++s) {
    const float* row = transition + int64_t{s} * stride;
    for (int32_t c = 0; c < stride; ++c) {
      const float score_here = score[s] * row[c];
      const bool better = score_here > best[c];
      best[c] = better ? score_here : best[c];
      from[c] = better ? s : from[c];
    }
  }
}

}  // namespace

// The state after a row is the last linked position; `came_from` stores the previous state, and
// `linked` whether the row was linked or empty. Scores are scaled to a maximum of one.
void hmm_best_columns(const Grid& grid, const JumpTable& jumps, double null_probability,
                      HmmScratch& scratch, int32_t* columns) {
  const int32_t states = grid.columns + 1;
  std::vector<float>& transition = scratch.floats;
  fill_transitions(grid, jumps, transition);
  const auto null = static_cast<float>(null_probability);
  std::vector<float> score(states, 0), next(states);
  score[0] = 1;
  std::vector<int32_t> came_from(int64_t{grid.rows} * states);
  std::vector<uint8_t> linked(came_from.size());
  Step step{std::vector<float>(grid.stride), std::vector<int32_t>(grid.stride)};
  for (int32_t r = 0; r < grid.rows; ++r) {
    best_step(score.data(), transition.data(), states, grid.stride, step);
    int32_t* from = came_from.data() + int64_t{r} * states;
    uint8_t* is_link = linked.data() + int64_t{r} * states;
    float most = 0;
    for (int32_t s = 0; s < states; ++s) {
      const float empty = null * grid.empty[r] * score[s];
      const float link = s > 0 ? (1 - null) * grid.row(r)[s - 1] * step.score[s - 1] : 0;
      is_link[s] = link > empty;
      from[s] = is_link[s] ? step.from[s - 1] : s;
      next[s] = std::max(link, empty);
      most = std::max(most, next[s]);
    }
    const float scale = most > 0 ? 1 / most : 1;
    for (int32_t s = 0; s < states; ++s) score[s] = next[s] * scale;
  }
  auto state = static_cast<int32_t>(std::max_element(score.begin(), score.end()) - score.begin());
  for (int32_t r = grid.rows - 1; r >= 0; --r) {
    const int64_t at = int64_t{r} * states + state;
    columns[r] = linked[at] ? state - 1 : kNoLink;
    state = came_from[at];
  }
}

}  // namespace demotic::align
