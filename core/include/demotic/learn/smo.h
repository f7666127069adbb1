// Sequential minimal optimisation of the duals of margin learners (Chiang, Marton & Resnik 2008,
// equations 2-5; Eidelman, Marton & Resnik 2013, Algorithm 2 with its signs corrected):
//
//   maximise  sum_k linear_k x_k - 1/2 || sum_k x_k v_k ||^2,  x >= 0,
//   where the x of each block sum to the budget of the block.
//
// A step moves mass between two elements of one block, so the sums never change. A slack element (v
// = 0, linear = 0) turns the equality into an upper bound for the other elements of its block. MIRA
// has one block per sentence; relative margin has a second one for the bounds, upper and lower
// together. Only inner products are needed, so features may be dense or sparse.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "demotic/namespaces.h"

namespace demotic::learn {

struct SmoProblem {
  std::span<const double> products;  // v_j . v_k at [j * size + k]
  std::span<const double> linear;    // one per element
  std::span<const int32_t> blocks;   // block of each element
  int32_t block_count = 0;
};

// Improves x, whose sums per block are the budgets. Stops when in every block the largest gradient
// exceeds the smallest gradient of an element with mass by at most `tolerance`, or after `steps`
// steps per block. Returns the number of steps. Each step picks the block with the widest gap, and
// moves mass from the element with the smallest gradient to the one with the largest. If their
// vectors are equal, the whole mass moves.
int32_t smo(const SmoProblem& problem, double tolerance, int32_t steps, std::span<double> x);

}  // namespace demotic::learn
