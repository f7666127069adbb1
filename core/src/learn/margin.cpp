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

using Shards = std::vector<std::unique_ptr<MarginShard>>;

// The weights after a sweep, and their average over its visits.
struct Mixed {
  double weight, average;
};

// The combined results of the shards, feature by feature. Computed from differences, so that a
// sweep without updates reproduces the weights bit for bit.
class ShardMixture {
 public:
  explicit ShardMixture(const Shards& shards) : shards_(shards) {
    for (const auto& shard : shards) visits_ += shard->visits();
  }

  int64_t visits() const { return visits_; }

  Mixed operator()(size_t f, double start) const {
    Mixed mixed{start, start};
    for (const auto& shard : shards_) {
      if (shard->visits() == 0) continue;
      const auto own = static_cast<double>(shard->visits());
      const double begun = shard->start()[f], moved = shard->weights()[f] - begun;
      mixed.weight += moved / static_cast<double>(shards_.size());
      mixed.average += (begun - start + (moved - shard->drift()[f] / own)) *
                       (own / static_cast<double>(visits_));
    }
    return mixed;
  }

 private:
  const Shards& shards_;
  int64_t visits_ = 0;
};

class BatchMixture {
 public:
  explicit BatchMixture(const MarginBatch& batch) : batch_(batch) {}

  int64_t visits() const { return batch_.visits(); }

  Mixed operator()(size_t f, double start) const {
    const double weight = batch_.weights()[f];
    const double drift = batch_.drift()[f] / static_cast<double>(visits());
    return {weight, start + ((weight - start) - drift)};
  }

 private:
  const MarginBatch& batch_;
};

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
    return batches ? batch_sweep(order, pool, stop) : separate_sweep(order, pool, stop);
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

  bool separate_sweep(std::span<const int64_t> order, ThreadPool& pool, const StopFlag& stop) {
    pool.for_each(options_.shards, stop, [&](int64_t shard, int) {
      for (size_t i = shard; i < order.size(); i += options_.shards) {
        stop.check();
        if (i + options_.shards < order.size()) {
          lists_.prefetch(order[i + options_.shards]);
          lists_.prefetch_statistics(order[i + options_.shards]);
        }
        shards_[shard]->visit(order[i]);
      }
    });
    return finish(ShardMixture(shards_));
  }

  bool batch_sweep(std::span<const int64_t> order, ThreadPool& pool, const StopFlag& stop) {
    MarginBatch batch(shards_, weights_, options_);
    for (size_t i = 0; i < order.size(); i += options_.shards) {
      stop.check();
      batch.visit(order.subspan(i, std::min(order.size() - i, shards_.size())), pool, stop);
    }
    return finish(BatchMixture(batch));
  }

  // One pass over the weights: with a million of them they do not stay in the cache.
  template <typename Mixture>
  bool finish(const Mixture& mixture) {
    if (!result_.sweeps.empty()) keep_evaluated();
    const int64_t visits = mixture.visits();
    if (visits == 0) return true;
    visits_ = options_.running_average ? visits_ + visits : visits;
    const double share = static_cast<double>(visits) / static_cast<double>(visits_);
    bool finite = true;
    for (size_t f = 0; f < weights_.size(); ++f) {
      const Mixed mixed = mixture(f, weights_[f]);
      weights_[f] = mixed.weight;
      average_[f] += (mixed.average - average_[f]) * share;
      finite &= std::isfinite(weights_[f]) && std::isfinite(average_[f]);
    }
    if (finite) result_.sweeps.push_back(sweep_report(shards_));
    return finite;
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
