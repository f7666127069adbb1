#include "demotic/align/sparse_prior.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace demotic::align {
namespace {

// mu with sum_k c_k / (mu + w_k) = 1. The sum is decreasing and convex in mu > -min w, so Newton's
// steps from a point where it is above one approach the root from below.
double multiplier(std::span<const double> counts, std::span<const double> weights) {
  double low = -1e300;
  for (size_t k = 0; k < counts.size(); ++k)
    if (counts[k] > 0) low = std::max(low, counts[k] - weights[k]);
  double mu = low;
  for (int step = 0; step < 50; ++step) {
    double sum = 0, slope = 0;
    for (size_t k = 0; k < counts.size(); ++k) {
      if (counts[k] <= 0) continue;
      const double share = counts[k] / (mu + weights[k]);
      sum += share;
      slope += share / (mu + weights[k]);
    }
    if (sum - 1 < 1e-12) break;
    mu += (sum - 1) / slope;
  }
  return mu;
}

}  // namespace

double sparse_objective(std::span<const double> counts, std::span<const double> probabilities,
                        const SparsePrior& prior) {
  double result = 0;
  for (size_t k = 0; k < counts.size(); ++k) {
    if (counts[k] > 0) result -= counts[k] * std::log(probabilities[k]);
    result += prior.alpha * (1 - std::exp(-probabilities[k] / prior.beta));
  }
  return result;
}

void sparse_maximize(std::span<const double> counts, const SparsePrior& prior,
                     std::span<double> probabilities) {
  std::vector<double> weights(counts.size());
  for (int step = 0; step < prior.steps; ++step) {
    for (size_t k = 0; k < counts.size(); ++k)
      weights[k] = prior.alpha / prior.beta * std::exp(-probabilities[k] / prior.beta);
    const double mu = multiplier(counts, weights);
    double change = 0;
    for (size_t k = 0; k < counts.size(); ++k) {
      const double next = counts[k] > 0 ? counts[k] / (mu + weights[k]) : 0;
      change = std::max(change, std::abs(next - probabilities[k]));
      probabilities[k] = next;
    }
    if (change < 1e-6) break;
  }
}

}  // namespace demotic::align
