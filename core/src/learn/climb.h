// The hill climbing of MERT from one starting point (Och 2003): exact line searches along each
// feature in turn until none improves the score, then along random directions. The search space,
// lists or forests, is a `Space` with
//
//   int32_t directions()                    number of features that are directions
//   void rescore(span weights)              recomputes all scores from the weights
//   LinePoint along_feature(feature, stop)  line search from the current weights
//   LinePoint along(span direction, stop)   the same along any direction
//   void move(feature, step)                changes the weight of one feature
//   double score()                          metric of the best candidates after rescore
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "demotic/base/rng.h"
#include "demotic/base/stop.h"
#include "demotic/learn/line_sweep.h"
#include "demotic/learn/mert.h"

namespace demotic::learn {

// The end point of one climb.
struct Optimum {
  std::vector<double> weights;
  double score = 0;
  int64_t searches = 0;
};

template <typename Space>
class Climb {
 public:
  Climb(Space& space, std::vector<double> weights, const MertOptions& options, Rng rng,
        const StopFlag& stop)
      : space_(space), options_(options), weights_(std::move(weights)), rng_(rng), stop_(stop) {
    restart();
    score_ = space_.score();
  }

  Optimum run() {
    for (int32_t pass = 0; pass < options_.passes; ++pass) {
      for (int32_t f = 0; f < space_.directions() && !all_tried(); ++f) try_feature(f);
      if (all_tried() && !try_random()) break;
      if (moved_) restart();  // removes the rounding errors that steps have accumulated
    }
    if (moved_) restart();
    const double score = space_.score();
    return {std::move(weights_), score, searches_};
  }

 private:
  // Normalises the weights to unit L1 norm, which gives steps a scale, and recomputes all scores.
  void restart() {
    double norm = 0;
    for (const double weight : weights_) norm += std::abs(weight);
    if (norm > 0 && std::isfinite(norm))
      for (double& weight : weights_) weight /= norm;
    space_.rescore(weights_);
    moved_ = false;
  }

  bool helps(const LinePoint& found) {
    ++searches_;
    if (!(found.score > score_ + options_.tolerance)) return false;
    score_ = found.score;
    moved_ = true;
    return true;
  }

  // True if no feature improves the score: the others were tried since the last one moved.
  bool all_tried() const { return tried_ >= space_.directions(); }

  void try_feature(int32_t feature) {
    const LinePoint found = space_.along_feature(feature, stop_);
    ++tried_;
    if (!helps(found)) return;
    weights_[feature] += found.step;
    space_.move(feature, found.step);
    tried_ = 1;
  }

  // Stops at the first improvement; then the features are tried again.
  bool try_random() {
    std::vector<double> direction(space_.directions());
    for (int32_t i = 0; i < options_.random_directions; ++i) {
      for (double& part : direction) part = 2 * rng_.uniform() - 1;
      const LinePoint found = space_.along(direction, stop_);
      if (!helps(found)) continue;
      for (size_t f = 0; f < direction.size(); ++f) weights_[f] += found.step * direction[f];
      tried_ = 0;
      return true;
    }
    return false;
  }

  Space& space_;
  const MertOptions& options_;
  std::vector<double> weights_;
  Rng rng_;
  const StopFlag& stop_;
  double score_ = 0;
  int64_t searches_ = 0;
  bool moved_ = false;  // since all scores were recomputed
  int32_t tried_ = 0;   // consecutive features tried since the weights moved
};

// Climb number `start` of a round: from the given weights if 0, otherwise from random ones.
template <typename Space>
Optimum climb(Space& space, std::span<const double> weights, int64_t start,
              const MertOptions& options, const StopFlag& stop) {
  Rng rng = Rng(options.seed).fork(options.round).fork(start);
  std::vector<double> from(weights.begin(), weights.end());
  if (start > 0)
    for (int32_t f = 0; f < space.directions(); ++f) from[f] = 2 * rng.uniform() - 1;
  return Climb<Space>(space, std::move(from), options, rng, stop).run();
}

// Keeps the weights of the best climb; ties go to the first.
inline void add_optimum(MertResult& result, Optimum&& optimum) {
  const bool better = result.scores.empty() || optimum.score > std::ranges::max(result.scores);
  if (better) result.weights = std::move(optimum.weights);
  result.scores.push_back(optimum.score);
  result.searches += optimum.searches;
}

}  // namespace demotic::learn
