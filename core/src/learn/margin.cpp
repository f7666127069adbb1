#include "demotic/learn/margin.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>

#include "demotic/base/rng.h"
#include "margin_batch.h"
#include "margin_shard.h"

namespace demotic::learn {
namespace {

bool finite(std::span<const double> values) {
  return std::ranges::all_of(values, [](double value) { return std::isfinite(value); });
}

// The combined result of the shards after a sweep. Computed from differences, so that a sweep
// without updates reproduces the weights bit for bit.
struct Mixed {
  std::vector<double> weights, average;
  int64_t visits = 0;
};

using Shards = std::vector<std::unique_ptr<MarginShard>>;

Mixed mix(std::span<const double> start, const Shards& shards) {
  Mixed mixed{{start.begin(), start.end()}, {start.begin(), start.end()}, 0};
  for (const auto& shard : shards) mixed.visits += shard->visits();
  const auto total = static_cast<double>(mixed.visits);
  for (const auto& shard : shards) {
    if (shard->visits() == 0) continue;
    const auto own = static_cast<double>(shard->visits());
    for (size_t f = 0; f < start.size(); ++f) {
      const double begun = shard->start()[f], moved = shard->weights()[f] - begun;
      mixed.weights[f] += moved / static_cast<double>(shards.size());
      mixed.average[f] += (begun - start[f] + (moved - shard->drift()[f] / own)) * (own / total);
    }
  }
  return mixed;
}

Mixed mix(std::span<const double> start, const MarginBatch& batch) {
  Mixed mixed{{batch.weights().begin(), batch.weights().end()},
              {start.begin(), start.end()},
              batch.visits()};
  for (size_t f = 0; f < start.size() && mixed.visits > 0; ++f)
    mixed.average[f] +=
        (mixed.weights[f] - start[f]) - batch.drift()[f] / static_cast<double>(mixed.visits);
  return mixed;
}

MarginSweep sweep_report(const Shards& shards) {
  MarginSweep report;
  int64_t visits = 0;
  double spread = 0, squares = 0;
  for (const auto& shard : shards) {
    visits += shard->visits();
    report.updates += shard->updates();
    spread += shard->spread_sum();
    squares += shard->spread_squares();
  }
  const auto total = static_cast<double>(visits);
  report.spread_mean = spread / total;
  report.spread_deviation =
      std::sqrt(std::max(0.0, squares / total - report.spread_mean * report.spread_mean));
  return report;
}

class Sweeps {
 public:
  Sweeps(const CandidateLists& lists, MetricForm form, std::span<const double> weights,
         const MarginOptions& options)
      : lists_(lists),
        form_(form),
        options_(options),
        rng_(options.seed),
        weights_(weights.begin(), weights.end()),
        average_(weights_) {
    for (int32_t s = 0; s < options.shards; ++s)
      shards_.push_back(std::make_unique<MarginShard>(lists, form, options));
    result_.weights = weights_;
  }

  // Returns false if the weights are no longer finite.
  bool run(int32_t sweep, ThreadPool& pool, const StopFlag& stop) {
    std::vector<int64_t> order(lists_.size());
    std::iota(order.begin(), order.end(), int64_t{0});
    rng_.fork(static_cast<uint64_t>(sweep)).shuffle(std::span<int64_t>(order));
    for (const auto& shard : shards_) begin(*shard);
    const bool batches = options_.shards > 1 && (options_.scheme == MarginScheme::minibatch ||
                                                 options_.scheme == MarginScheme::shared);
    Mixed mixed = batches ? batch_sweep(order, pool, stop) : separate_sweep(order, pool, stop);
    if (!result_.sweeps.empty()) keep_evaluated();
    if (mixed.visits == 0) return true;
    weights_ = std::move(mixed.weights);
    visits_ = options_.running_average ? visits_ + mixed.visits : mixed.visits;
    const double share = static_cast<double>(mixed.visits) / static_cast<double>(visits_);
    for (size_t f = 0; f < average_.size(); ++f)
      average_[f] += (mixed.average[f] - average_[f]) * share;
    if (!finite(weights_) || !finite(average_)) return false;
    result_.sweeps.push_back(sweep_report(shards_));
    return true;
  }

  MarginResult take() {
    if (!result_.overflowed && !result_.sweeps.empty()) keep(best_statistics(lists_, average_));
    return std::move(result_);
  }
  void overflow() { result_.overflowed = true; }

 private:
  void begin(MarginShard& shard) const {
    const std::span<const double> evaluated =
        result_.sweeps.empty() ? std::span<const double>() : average_;
    const bool independent = options_.shards > 1 && options_.scheme == MarginScheme::independent;
    if (independent && !result_.sweeps.empty())
      shard.continue_sweep(evaluated);
    else
      shard.begin(weights_, evaluated);
  }

  Mixed separate_sweep(std::span<const int64_t> order, ThreadPool& pool, const StopFlag& stop) {
    pool.for_each(options_.shards, stop, [&](int64_t shard, int) {
      for (size_t i = shard; i < order.size(); i += options_.shards) {
        stop.check();
        if (i + options_.shards < order.size()) lists_.prefetch(order[i + options_.shards]);
        shards_[shard]->visit(order[i]);
      }
    });
    return mix(weights_, shards_);
  }

  Mixed batch_sweep(std::span<const int64_t> order, ThreadPool& pool, const StopFlag& stop) {
    MarginBatch batch(shards_, weights_, options_);
    for (size_t i = 0; i < order.size(); i += options_.shards) {
      stop.check();
      batch.visit(order.subspan(i, std::min(order.size() - i, shards_.size())), pool, stop);
    }
    return mix(weights_, batch);
  }

  // The average of a sweep is evaluated during the next sweep.
  void keep_evaluated() {
    std::vector<double> sums(lists_.statistics_size(), 0.0);
    for (const auto& shard : shards_)
      for (size_t k = 0; k < sums.size(); ++k) sums[k] += shard->evaluated_sums()[k];
    keep(sums);
  }

  // Records the average of the last sweep, given the summed statistics of its best candidates.
  void keep(std::span<const double> sums) {
    MarginSweep& last = result_.sweeps.back();
    last.score = score_of(form_, sums);
    if (result_.kept >= 0 && options_.keep_best && last.score <= result_.sweeps[result_.kept].score)
      return;
    result_.kept = static_cast<int32_t>(result_.sweeps.size()) - 1;
    result_.weights = average_;
  }

  const CandidateLists& lists_;
  const MetricForm form_;
  const MarginOptions& options_;
  const Rng rng_;
  std::vector<double> weights_, average_;
  Shards shards_;
  int64_t visits_ = 0;
  MarginResult result_;
};

}  // namespace

MarginResult learn_margins(const CandidateLists& lists, MetricForm form,
                           std::span<const double> weights, const MarginOptions& options,
                           ThreadPool& pool, const StopFlag& stop) {
  Sweeps sweeps(lists, form, weights, options);
  for (int32_t sweep = 0; sweep < options.sweeps; ++sweep) {
    if (sweeps.run(sweep, pool, stop)) continue;
    sweeps.overflow();
    break;
  }
  return sweeps.take();
}

}  // namespace demotic::learn
