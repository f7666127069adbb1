#include "demotic/learn/mert.h"

#include <algorithm>
#include <cmath>

#include "demotic/base/rng.h"
#include "demotic/learn/line_search.h"

namespace demotic {
namespace {

double norm(std::span<const double> weights) {
  double sum = 0;
  for (const double weight : weights) sum += std::abs(weight);
  return sum;
}

// The climb from one starting point.
class Climb {
 public:
  Climb(const CandidateLists& lists, MetricForm form, std::vector<double> weights,
        const MertOptions& options, Rng rng, const StopFlag& stop)
      : lists_(lists),
        form_(form),
        options_(options),
        weights_(std::move(weights)),
        rng_(rng),
        stop_(stop),
        search_(lists, form),
        scores_(lists.candidates()) {
    restart();
    score_ = score();
  }

  void run() {
    for (int32_t pass = 0; pass < options_.passes; ++pass) {
      bool moved = false;
      for (int32_t f = 0; f < lists_.dense_features(); ++f) moved |= try_feature(f);
      if (!moved && !try_random()) break;
      restart();  // steps add rounding errors to scores
    }
    restart();
  }

  // Of the weights as they are.
  double score() const { return score_of(form_, best_statistics(lists_, weights_)); }
  std::vector<double> take_weights() { return std::move(weights_); }
  int64_t searches() const { return searches_; }

 private:
  // Unit norm, so that steps have a scale; all scores anew.
  void restart() {
    if (const double size = norm(weights_); size > 0 && std::isfinite(size))
      for (double& weight : weights_) weight /= size;
    for (int64_t list = 0; list < lists_.size(); ++list)
      lists_.score(list, weights_, scores_.data() + lists_.first(list));
  }

  bool try_feature(int32_t feature) {
    ++searches_;
    const LinePoint found = search_.along_feature(scores_, feature, stop_);
    if (!(found.score > score_ + options_.tolerance)) return false;
    score_ = found.score;
    weights_[feature] += found.step;
    for (int64_t list = 0; list < lists_.size(); ++list)
      add_scaled(lists_.column(list, feature), lists_.length(list), found.step,
                 scores_.data() + lists_.first(list));
    return true;
  }

  // Stops at the first direction that helps: then the features have their turn again.
  bool try_random() {
    std::vector<double> direction(lists_.dense_features());
    for (int32_t i = 0; i < options_.random_directions; ++i) {
      for (double& part : direction) part = 2 * rng_.uniform() - 1;
      ++searches_;
      const LinePoint found = search_.along(scores_, direction, stop_);
      if (!(found.score > score_ + options_.tolerance)) continue;
      score_ = found.score;
      for (size_t f = 0; f < direction.size(); ++f) weights_[f] += found.step * direction[f];
      return true;
    }
    return false;
  }

  const CandidateLists& lists_;
  const MetricForm form_;
  const MertOptions& options_;
  std::vector<double> weights_;
  Rng rng_;
  const StopFlag& stop_;
  LineSearch search_;
  std::vector<double> scores_;
  double score_ = 0;
  int64_t searches_ = 0;
};

}  // namespace

MertResult mert(const CandidateLists& lists, MetricForm form, std::span<const double> weights,
                const MertOptions& options, ThreadPool& pool, const StopFlag& stop) {
  struct Start {
    std::vector<double> weights;
    double score;
    int64_t searches;
  };
  const Rng rounds = Rng(options.seed).fork(options.round);
  MertResult result;
  pool.map_reduce(
      options.restarts + 1, stop,
      [&](int64_t start, int) {
        Rng rng = rounds.fork(start);
        std::vector<double> from(weights.begin(), weights.end());
        if (start > 0)
          for (int32_t f = 0; f < lists.dense_features(); ++f) from[f] = 2 * rng.uniform() - 1;
        Climb climb(lists, form, std::move(from), options, rng, stop);
        climb.run();
        const double score = climb.score();
        return Start{climb.take_weights(), score, climb.searches()};
      },
      [&](int64_t, Start&& start) {
        const bool better = result.scores.empty() || start.score > std::ranges::max(result.scores);
        if (better) result.weights = std::move(start.weights);
        result.scores.push_back(start.score);
        result.searches += start.searches;
      });
  return result;
}

}  // namespace demotic
