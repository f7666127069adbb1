// Sequential minimal optimisation of the duals of margin learners (Chiang, Marton & Resnik 2008,
// equations 2-5; Eidelman, Marton & Resnik 2013, Algorithm 2 with its signs mended):
//
//   maximise  sum_k linear_k x_k - 1/2 || sum_k x_k v_k ||^2,  x >= 0,
//   and in every block the x add up to its budget.
//
// A step moves mass between two elements of one block, so budgets hold at all times. An element
// with v = 0 and linear = 0 takes what the others leave: with it the sum of the others is at most
// the budget. One block a sentence is MIRA; a second one with the bounds, upper and lower together,
// is relative margin. Only inner products are needed, so features may be dense or sparse.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "demotic/namespaces.h"

namespace demotic::learn {

struct SmoProblem {
  std::span<const double> products;  // of v_j and v_k at [j * size + k]
  std::span<const double> linear;    // one an element
  std::span<const int32_t> blocks;   // of every element
  int32_t block_count = 0;
};

// Improves x, whose sums are the budgets, until in no block the best gradient exceeds the worst one
// of an element with mass by more than `tolerance`, or for `steps` steps a block. Returns the steps
// taken. Each takes the block with the widest gap, its most violated element and the least violated
// one with mass. Of elements with equal vectors the whole mass goes to the better one.
int32_t smo(const SmoProblem& problem, double tolerance, int32_t steps, std::span<double> x);

}  // namespace demotic::learn
