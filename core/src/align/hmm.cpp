#include "demotic/align/hmm.h"

#include <algorithm>
#include <utility>

#include "demotic/base/clones.h"
#include "demotic/base/lanes.h"

namespace demotic::align {
namespace {

// States are positions -1 .. columns - 1, stored at indices 0 .. columns. `last(s)` is the
// probability that position s was the last one linked, given the rows so far; `reach(c)` that
// column c is the next one linked. Both are stored for every row; the rest is for the current row.
struct Chain {
  int32_t columns, states, stride, width;  // width: padded(states), longest first
  int32_t reach_limit;                     // the window of jumps: limit or the whole sentence
  bool far;                                // whether wider jumps exist
  float uniform;                           // uniform / columns
  float *kernel, *correlation;             // by jump within the window; (1 - uniform) included
  float *inverse_total, *leaving;          // by state
  float* window;                           // a row with zeros around it
  float *before, *behind;                  // sums of the parts outside the window
  float *future, *arriving;                // backward probabilities; sums over the next positions
  float *reach, *last, *scale;             // rows * stride, (rows + 1) * width, rows

  float* reach_row(int32_t r) const { return reach + int64_t{r} * stride; }
  float* last_row(int32_t r) const { return last + int64_t{r} * width; }  // row r sees last_row(r)
};

Chain make_chain(const Grid& grid, const JumpTable& jumps, HmmScratch& scratch) {
  Chain chain{};
  chain.columns = grid.columns;
  chain.states = grid.columns + 1;
  chain.stride = grid.stride;
  chain.width = padded(chain.states) + kLanes;
  chain.reach_limit = std::min(jumps.limit(), grid.columns);
  chain.far = grid.columns > jumps.limit();
  const double keep = 1 - jumps.uniform();
  chain.uniform = static_cast<float>(jumps.uniform() / grid.columns);
  const int64_t kernel = padded(2 * chain.reach_limit + 1) + kLanes;
  const int64_t window = chain.width + 2 * chain.reach_limit + 2 * kLanes;
  const int64_t rows = grid.rows;
  const int64_t need = 2 * kernel + window + 6 * int64_t{chain.width} + rows * chain.stride +
                       (rows + 1) * chain.width + padded(grid.rows);
  if (static_cast<int64_t>(scratch.floats.size()) < need) scratch.floats.resize(need);
  float* free = scratch.floats.data();
  const auto take = [&](int64_t count) { return std::exchange(free, free + count); };
  chain.kernel = take(kernel);
  chain.correlation = take(kernel);
  chain.window = take(window);
  for (float** place : {&chain.inverse_total, &chain.leaving, &chain.before, &chain.behind,
                        &chain.future, &chain.arriving})
    *place = take(chain.width);
  chain.reach = take(rows * chain.stride);
  chain.last = take((rows + 1) * chain.width);
  chain.scale = take(padded(grid.rows));
  std::fill_n(scratch.floats.data(), chain.reach - scratch.floats.data(), 0.0f);
  std::fill_n(chain.last, chain.width, 0.0f);
  chain.last[0] = 1;
  for (int32_t k = 0; k <= 2 * chain.reach_limit; ++k)
    chain.kernel[k] = static_cast<float>(keep * jumps.weight(k - chain.reach_limit));
  for (int32_t s = 0; s < chain.states; ++s)
    chain.inverse_total[s] = static_cast<float>(1 / jumps.total(s - 1, chain.columns));
  return chain;
}

// before[x] = the sum of the first x + 1 values; behind[x] = the sum of those from x on.
DEMOTIC_INLINE void sum_sides(const float* values, int32_t count, float* before, float* behind) {
  float sum = 0;
  for (int32_t x = 0; x < count; ++x) before[x] = sum += values[x];
  sum = 0;
  for (int32_t x = count - 1; x >= 0; --x) behind[x] = sum += values[x];
}

// reach(c) = sum over states of last(s) p(c | s). `window` holds last(s) / total(s) at limit + s.
DEMOTIC_INLINE void predict(const Chain& chain, const float* last, float* reach) {
  const int32_t limit = chain.reach_limit;
  float* values = chain.window + limit;
  for (int32_t s = 0; s < chain.width - kLanes; s += kLanes)
    lanes_at(values + s) = lanes_at(last + s) * lanes_at(chain.inverse_total + s);
  for (int32_t c = 0; c < chain.stride; c += kLanes) {
    Floats sum = Floats{} + chain.uniform;
    const float* from = values + c + 1 - limit;
    for (int32_t x = 0; x <= 2 * limit; ++x)
      sum += chain.kernel[2 * limit - x] * lanes_at(from + x);
    lanes_at(reach + c) = sum;
  }
  if (!chain.far) return;
  sum_sides(values, chain.states, chain.before, chain.behind);
  const float ahead = chain.kernel[2 * limit], back = chain.kernel[0];
  for (int32_t c = limit; c < chain.columns; ++c) reach[c] += ahead * chain.before[c - limit];
  for (int32_t c = 0; c + limit + 2 < chain.states; ++c)
    reach[c] += back * chain.behind[c + limit + 2];
}

// One forward step; returns the scale, the probability of the row given the previous rows.
DEMOTIC_INLINE float advance(const Chain& chain, const Grid& grid, int32_t r, float null) {
  const float* last = chain.last_row(r);
  float* next = chain.last_row(r + 1);
  float* reach = chain.reach_row(r);
  const float* links = grid.row(r);
  predict(chain, last, reach);
  const float empty = null * grid.empty[r], keep = 1 - null;
  Floats sums{};
  for (int32_t c = 0; c < chain.stride; c += kLanes)
    sums += lanes_at(links + c) * lanes_at(reach + c);
  const float scale = keep * sum_lanes(sums) + empty;
  const float inverse = 1 / scale, linked = keep * inverse, held = empty * inverse;
  for (int32_t s = 0; s < chain.width; s += kLanes) lanes_at(next + s) = held * lanes_at(last + s);
  for (int32_t c = 0; c < chain.stride; c += kLanes)
    lanes_at(next + c + 1) += linked * lanes_at(links + c) * lanes_at(reach + c);
  chain.scale[r] = scale;
  return scale;
}

// For each state the sum over the next columns: `window` holds the columns' values at limit + 1 +
// c.
DEMOTIC_INLINE void collect(const Chain& chain) {
  const int32_t limit = chain.reach_limit;
  const float* values = chain.window;
  for (int32_t s = 0; s < chain.width - kLanes; s += kLanes) {
    Floats sum{};
    for (int32_t x = 0; x <= 2 * limit; ++x) sum += chain.kernel[x] * lanes_at(values + s + x);
    lanes_at(chain.arriving + s) = sum;
  }
  if (!chain.far) return;
  sum_sides(values + limit + 1, chain.columns, chain.before, chain.behind);
  const float ahead = chain.kernel[2 * limit], back = chain.kernel[0];
  for (int32_t s = 0; s + limit < chain.columns; ++s)
    chain.arriving[s] += ahead * chain.behind[s + limit];
  for (int32_t s = limit + 2; s < chain.states; ++s)
    chain.arriving[s] += back * chain.before[s - limit - 2];
}

// Adds last(s) / total(s) * value(c) to the correlation at c - s, for this row.
DEMOTIC_INLINE void correlate(const Chain& chain, const float* last) {
  const int32_t limit = chain.reach_limit;
  const float* values = chain.window;
  for (int32_t x = 0; x <= 2 * limit; x += kLanes) {
    Floats sum{};
    for (int32_t s = 0; s < chain.states; ++s)
      sum += (last[s] * chain.inverse_total[s]) * lanes_at(values + s + x);
    lanes_at(chain.correlation + x) += sum;
  }
  if (!chain.far) return;
  float ahead = 0, back = 0;
  for (int32_t s = 0; s + limit < chain.columns; ++s)
    ahead += last[s] * chain.inverse_total[s] * chain.behind[s + limit];
  for (int32_t s = limit + 2; s < chain.states; ++s)
    back += last[s] * chain.inverse_total[s] * chain.before[s - limit - 2];
  chain.correlation[2 * limit] += ahead;
  chain.correlation[0] += back;
}

// One backward step: the posteriors of the row's links, and the future of the previous row.
DEMOTIC_INLINE void retreat(const Chain& chain, const Grid& grid, int32_t r, float null) {
  const float* last = chain.last_row(r);
  const float* reach = chain.reach_row(r);
  float* links = grid.row(r);
  float* values = chain.window + chain.reach_limit + 1;
  const float inverse = 1 / chain.scale[r];
  const float linked = (1 - null) * inverse, held = null * grid.empty[r] * inverse;
  Floats sums{}, empty{};
  for (int32_t c = 0; c < chain.stride; c += kLanes) {
    const Floats value = linked * lanes_at(links + c) * lanes_at(chain.future + c + 1);
    lanes_at(values + c) = value;
    sums += value;
    lanes_at(links + c) = lanes_at(reach + c) * value;
  }
  for (int32_t s = 0; s < chain.width - kLanes; s += kLanes)
    empty += lanes_at(last + s) * lanes_at(chain.future + s);
  grid.empty[r] = held * sum_lanes(empty);
  collect(chain);
  correlate(chain, last);
  const float uniform = chain.uniform * sum_lanes(sums);
  for (int32_t s = 0; s < chain.width - kLanes; s += kLanes) {
    const Floats jumped = lanes_at(chain.inverse_total + s) * lanes_at(chain.arriving + s);
    lanes_at(chain.leaving + s) += lanes_at(last + s) * jumped;
    lanes_at(chain.future + s) = jumped + uniform + held * lanes_at(chain.future + s);
  }
}

void count_jumps(const Chain& chain, const JumpTable& jumps, JumpStatistics& statistics) {
  const int32_t limit = jumps.limit();
  statistics.taken.resize(2 * limit + 1, 0);
  statistics.offered.resize(2 * limit + 1, 0);
  for (int32_t k = 0; k <= 2 * chain.reach_limit; ++k)
    statistics.taken[k - chain.reach_limit + limit] += chain.correlation[k] * chain.kernel[k];
  for (int32_t s = 0; s < chain.states; ++s) {
    const int32_t least = 1 - s, most = chain.columns - s;  // available jumps
    const double share = static_cast<double>(chain.leaving[s]) * chain.inverse_total[s];
    for (int32_t jump = std::max(least, -limit); jump <= std::min(most, limit); ++jump)
      statistics.offered[jump + limit] += share;
    statistics.offered.front() += share * std::max(0, -limit - least);
    statistics.offered.back() += share * std::max(0, most - limit);
  }
}

}  // namespace

DEMOTIC_CLONES
double hmm_posteriors(const Grid& grid, const JumpTable& jumps, double null_probability,
                      HmmScratch& scratch, JumpStatistics& statistics) {
  const Chain chain = make_chain(grid, jumps, scratch);
  const auto null = static_cast<float>(null_probability);
  LogSum log_likelihood;
  for (int32_t r = 0; r < grid.rows; ++r) log_likelihood.add(advance(chain, grid, r, null));
  std::fill_n(chain.window, chain.width + 2 * chain.reach_limit + 2 * kLanes, 0.0f);
  std::fill_n(chain.future, chain.width, 1.0f);
  for (int32_t r = grid.rows - 1; r >= 0; --r) retreat(chain, grid, r, null);
  count_jumps(chain, jumps, statistics);
  return log_likelihood.total();
}

}  // namespace demotic::align
