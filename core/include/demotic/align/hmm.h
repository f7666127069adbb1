// The hidden Markov alignment model (Vogel, Ney and Tillmann 1996) with the empty word of Och and
// Ney (2003): each generated word is explained by a position of the conditioning sentence, reached
// from the last one by a jump, or by the empty word, which keeps the last position.
//
//     p(i | i', columns) = (1 - uniform) c(i - i') / sum_{i''} c(i'' - i') + uniform / columns
//
// There is one table c of jump widths, from -limit to limit; wider jumps share the outermost
// values. The start is at position -1. Computed with scaled probabilities. A row costs O(columns *
// limit), so a pair costs O(rows * columns): wide jumps are computed from prefix sums.
#pragma once

#include <vector>

#include "demotic/align/grid.h"

namespace demotic::align {

class JumpTable {
 public:
  // Weights that decrease on both sides of a jump by one.
  JumpTable(int32_t limit, double uniform);
  // Throws std::invalid_argument unless there is an odd number of positive weights.
  JumpTable(std::vector<double> weights, double uniform);

  int32_t limit() const noexcept { return static_cast<int32_t>(weights_.size() / 2); }
  double uniform() const noexcept { return uniform_; }
  const std::vector<double>& weights() const noexcept { return weights_; }
  double weight(int32_t jump) const noexcept;
  // The sum of c(position - from) over all positions of a sentence; `from` may be -1.
  double total(int32_t from, int32_t columns) const noexcept;

 private:
  std::vector<double> weights_;
  std::vector<double> prefix_;  // prefix sums of the weights
  double uniform_;
};

// Expected counts for the next table: of jumps by width, and, for the exact normalisation by
// position and length, of how often each width was available, weighted by 1 / total (see
// `improve`).
struct JumpStatistics {
  std::vector<double> taken, offered;

  void add(const JumpStatistics& other);
};

// The weights that raise the expected log-likelihood: since the totals depend on the weights, the
// maximum has no closed form, but -log(total) is bounded by its tangent, and the maximum of that
// bound is taken / offered. So the likelihood never decreases.
JumpTable improve(const JumpTable& table, const JumpStatistics& statistics);

// Working memory of one thread.
struct HmmScratch {
  std::vector<float> floats;
};

// Returns the log-likelihood; adds to `statistics`.
double hmm_posteriors(const Grid& grid, const JumpTable& jumps, double null_probability,
                      HmmScratch& scratch, JumpStatistics& statistics);

// The Viterbi alignment; the grid holds translation probabilities and is not modified.
void hmm_best_columns(const Grid& grid, const JumpTable& jumps, double null_probability,
                      HmmScratch& scratch, int32_t* columns);

}  // namespace demotic::align
