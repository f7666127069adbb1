// The climb of MERT from one starting point (Och 2003): exact line searches along every feature in
// turn until none helps, then along random directions. What is searched, lists or forests, is a
// `Space` with
//
//   int32_t directions()                        features that have a direction of their own
//   void rescore(span weights)                  everything anew under the weights
//   LinePoint along_feature(feature, stop)      from the weights of rescore and move
//   LinePoint along(span direction, stop)
//   void move(feature, step)                    the weight of one feature by a step
//   double score()                              the metric of what is best after rescore
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

// Where one climb ended.
struct Summit {
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

  Summit run() {
    for (int32_t pass = 0; pass < options_.passes; ++pass) {
      for (int32_t f = 0; f < space_.directions() && !all_tried(); ++f) try_feature(f);
      if (all_tried() && !try_random()) break;
      if (moved_) restart();  // steps add rounding errors to scores
    }
    if (moved_) restart();
    const double score = space_.score();
    return {std::move(weights_), score, searches_};
  }

 private:
  // Unit norm, so that steps have a scale; all scores anew.
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

  // No feature helps: the one that moved last is at its best, the others were tried since.
  bool all_tried() const { return tried_ >= space_.directions(); }

  void try_feature(int32_t feature) {
    const LinePoint found = space_.along_feature(feature, stop_);
    ++tried_;
    if (!helps(found)) return;
    weights_[feature] += found.step;
    space_.move(feature, found.step);
    tried_ = 1;
  }

  // Stops at the first direction that helps: then the features have their turn again.
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
  bool moved_ = false;  // since all scores were computed anew
  int32_t tried_ = 0;   // features in turn since the weights moved
};

// Climb number `start` of a round: 0 from the given weights, others from random ones.
template <typename Space>
Summit climb(Space& space, std::span<const double> weights, int64_t start,
             const MertOptions& options, const StopFlag& stop) {
  Rng rng = Rng(options.seed).fork(options.round).fork(start);
  std::vector<double> from(weights.begin(), weights.end());
  if (start > 0)
    for (int32_t f = 0; f < space.directions(); ++f) from[f] = 2 * rng.uniform() - 1;
  return Climb<Space>(space, std::move(from), options, rng, stop).run();
}

// Of equal summits the first is kept.
inline void add_summit(MertResult& result, Summit&& summit) {
  const bool better = result.scores.empty() || summit.score > std::ranges::max(result.scores);
  if (better) result.weights = std::move(summit.weights);
  result.scores.push_back(summit.score);
  result.searches += summit.searches;
}

}  // namespace demotic::learn
