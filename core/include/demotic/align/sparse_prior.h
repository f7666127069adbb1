// A prior for few translations per word: the smoothed l0 norm of Vaswani, Huang and Chiang (2012).
//
// The M-step of one word minimises, over the simplex,
//     -sum_k c_k log t_k + alpha sum_k (1 - exp(-t_k / beta)).
// They use projected gradient descent with a line search, whose steps are short near zero because
// of the logarithm. Here the concave penalty is replaced by its tangent at the current point and
// the rest is solved exactly, t_k = c_k / (mu + w_k) with w_k = alpha / beta exp(-t_k / beta) and
// mu such that they sum to one: the objective falls in every step, there is no step size, and few
// steps are needed.
#pragma once

#include <span>

#include "demotic/namespaces.h"

namespace demotic::align {

struct SparsePrior {
  double alpha = 10;
  double beta = 0.05;
  int steps = 8;
};

// The objective above; terms with c_k = 0 have no logarithm.
double sparse_objective(std::span<const double> counts, std::span<const double> probabilities,
                        const SparsePrior& prior);

// Overwrites `probabilities` (the start: positive where the counts are, summing to one).
void sparse_maximize(std::span<const double> counts, const SparsePrior& prior,
                     std::span<double> probabilities);

}  // namespace demotic::align
