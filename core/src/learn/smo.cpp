#include "demotic/learn/smo.h"

#include <algorithm>
#include <limits>

namespace demotic::learn {
namespace {

struct Pair {
  int32_t up = -1, down = -1;  // mass moves from `down` to `up`
  double gap = 0;
};

// Per block: the element with the largest gradient, and the one with the smallest that has mass.
class Blocks {
 public:
  explicit Blocks(const SmoProblem& problem) : problem_(problem), pairs_(problem.block_count) {}

  Pair widest(std::span<const double> gradient, std::span<const double> x) {
    std::fill(pairs_.begin(), pairs_.end(), Pair{});
    for (int32_t k = 0; k < static_cast<int32_t>(x.size()); ++k) {
      Pair& pair = pairs_[problem_.blocks[k]];
      if (pair.up < 0 || gradient[k] > gradient[pair.up]) pair.up = k;
      if (x[k] > 0 && (pair.down < 0 || gradient[k] < gradient[pair.down])) pair.down = k;
    }
    Pair best;
    for (Pair& pair : pairs_) {
      if (pair.up < 0 || pair.down < 0) continue;
      pair.gap = gradient[pair.up] - gradient[pair.down];
      if (pair.gap > best.gap) best = pair;
    }
    return best;
  }

 private:
  const SmoProblem& problem_;
  std::vector<Pair> pairs_;
};

}  // namespace

int32_t smo(const SmoProblem& problem, double tolerance, int32_t steps, std::span<double> x) {
  const auto size = static_cast<int32_t>(x.size());
  const auto product = [&](int32_t j, int32_t k) {
    return problem.products[static_cast<size_t>(j) * size + k];
  };
  std::vector<double> gradient(problem.linear.begin(), problem.linear.end());
  for (int32_t j = 0; j < size; ++j)
    if (x[j] != 0)
      for (int32_t k = 0; k < size; ++k) gradient[k] -= x[j] * product(j, k);
  Blocks blocks(problem);
  const int32_t most = steps * std::max(problem.block_count, 1);
  for (int32_t step = 0; step < most; ++step) {
    const Pair pair = blocks.widest(gradient, x);
    if (!(pair.gap > tolerance)) return step;
    const double curve =
        product(pair.up, pair.up) - 2 * product(pair.up, pair.down) + product(pair.down, pair.down);
    double mass = x[pair.down];
    if (curve > 0) mass = std::min(mass, pair.gap / curve);
    // Set to exactly 0 when emptied: a rounding residue would be moved for ever.
    x[pair.down] = mass == x[pair.down] ? 0 : x[pair.down] - mass;
    x[pair.up] += mass;
    for (int32_t k = 0; k < size; ++k)
      gradient[k] -= mass * (product(pair.up, k) - product(pair.down, k));
  }
  return most;
}

}  // namespace demotic::learn
