// Minimum error rate training on candidate lists (Och 2003): exact line searches along every dense
// feature in turn until none helps, then along random directions, from several starting points.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "demotic/base/stop.h"
#include "demotic/base/thread_pool.h"
#include "demotic/learn/candidates.h"
#include "demotic/metrics/metric_form.h"

namespace demotic::learn {

struct MertOptions {
  int32_t restarts = 20;          // random starting points beside the given weights
  int32_t random_directions = 5;  // tried when no single feature helps any more
  int32_t passes = 100;           // over all features, at most, a start
  double tolerance = 1e-6;        // gains below it do not move the weights
  uint64_t seed = 1, round = 1;   // restart r draws from (seed, round, r)
};

struct MertResult {
  std::vector<double> weights;  // of the best start, unit L1 norm
  std::vector<double> scores;   // a start, the given weights first
  int64_t searches = 0;         // along a line, in all
};

// Starts are independent and shared among the threads; the result is the same for any number of
// them. Sparse weights are no direction of their own: they count in all scores and share the norm.
// `weights` over all features; the score of a start is recomputed from its final weights.
MertResult mert(const CandidateLists& lists, MetricForm form, std::span<const double> weights,
                const MertOptions& options, ThreadPool& pool, const StopFlag& stop);

}  // namespace demotic::learn
