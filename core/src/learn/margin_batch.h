// A sweep in batches: each shard visits one list with the same weights, then one update is derived
// from all of them. See MarginScheme in margin.h.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "demotic/base/stop.h"
#include "demotic/base/thread_pool.h"
#include "margin_shard.h"

namespace demotic::learn {

class MarginBatch {
 public:
  // Keeps references to the shards, which must have begun with these weights.
  MarginBatch(std::span<const std::unique_ptr<MarginShard>> shards, std::span<const double> weights,
              const MarginOptions& options);

  // One list per shard, or fewer at the end of a sweep. Updates are added in the order of the
  // lists.
  void visit(std::span<const int64_t> lists, ThreadPool& pool, const StopFlag& stop);

  std::span<const double> weights() const noexcept { return weights_; }
  // The average over the lists so far is weights() - drift() / visits().
  std::span<const double> drift() const noexcept { return drift_; }
  int64_t visits() const noexcept { return visits_; }

 private:
  void apply_mean_step(size_t lists);
  void apply_joint_step(size_t lists);
  void solve(size_t lists);
  void move(const Difference& features, double factor);

  std::span<const std::unique_ptr<MarginShard>> shards_;
  const MarginOptions& options_;
  std::vector<double> weights_, drift_;
  int64_t visits_ = 0;

  // The problem of a batch: two slacks per list, then all constraints.
  std::vector<const MarginConstraint*> constraints_;
  std::vector<double> linear_, mass_, products_;
  std::vector<int32_t> blocks_;
};

}  // namespace demotic::learn
