// A sweep in batches: every shard visits a list with the same weights, and one update follows from
// what all of them found. See MarginScheme in margin.h.
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
  // Borrows the shards, which have begun with these weights.
  MarginBatch(std::span<const std::unique_ptr<MarginShard>> shards, std::span<const double> weights,
              const MarginOptions& options);

  // A list a shard, or fewer lists at the end of a sweep. Updates are added in the order of lists.
  void visit(std::span<const int64_t> lists, ThreadPool& pool, const StopFlag& stop);

  std::span<const double> weights() const noexcept { return weights_; }
  // weights() - drift() / visits() is the average over the lists so far.
  std::span<const double> drift() const noexcept { return drift_; }
  int64_t visits() const noexcept { return visits_; }

 private:
  void take_means(size_t lists);
  void take_together(size_t lists);
  void solve(size_t lists);
  void move(const Difference& features, double factor);

  std::span<const std::unique_ptr<MarginShard>> shards_;
  const MarginOptions& options_;
  std::vector<double> weights_, drift_;
  int64_t visits_ = 0;

  // Of the problem of a batch: for each list its two slacks, then all constraints.
  std::vector<const MarginConstraint*> constraints_;
  std::vector<double> linear_, mass_, products_;
  std::vector<int32_t> blocks_;
};

}  // namespace demotic::learn
