// Minimum error rate training on candidate lists (Och 2003): exact line searches along each dense
// feature in turn until none improves the metric, then along random directions, from several
// starting points.
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
  int32_t restarts = 20;          // random starting points in addition to the given weights
  int32_t random_directions = 5;  // tried when no single feature improves the score
  int32_t passes = 100;           // maximum passes over all features per start
  double tolerance = 1e-6;        // smaller improvements do not move the weights
  uint64_t seed = 1, round = 1;   // restart r draws from (seed, round, r)
};

struct MertResult {
  std::vector<double> weights;  // from the best start, L1 norm 1
  std::vector<double> scores;   // one per start, the given weights first
  int64_t searches = 0;         // total number of line searches
};

// Starts are independent and distributed over the threads; the result does not depend on the number
// of threads. Sparse weights are not directions, but contribute to all scores and to the norm.
// `weights` covers all features. The score of each start is recomputed from its final weights.
MertResult mert(const CandidateLists& lists, MetricForm form, std::span<const double> weights,
                const MertOptions& options, ThreadPool& pool, const StopFlag& stop);

}  // namespace demotic::learn
