// Margin learners on candidate lists, visited one by one in shuffled order:
//
//   MIRA  min 1/2 ||w - w_t||^2 + C xi          with  score(hope) - score(y) >=
//                                                    gain(hope) - gain(y) - xi
//   RM    min 1/2 ||w - w_t||^2 + C xi + D tau  and   |score(hope) - score(y)| <= B + tau
//
// for all candidates y of the list. The passive-aggressive variant takes one step for the most
// violated constraint of each kind (Cherry & Foster 2012; Eidelman, Marton & Resnik 2013, "RM-PA").
// The cutting-plane variant adds the most violated constraint until none is left and solves each
// problem by `smo`: their Algorithm 1 with two corrections, namely that the lower bound looks for
// the lowest difference and that both bounds subtract their slack. With an infinite B, RM is MIRA.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "demotic/base/stop.h"
#include "demotic/base/thread_pool.h"
#include "demotic/learn/background.h"
#include "demotic/learn/candidates.h"
#include "demotic/metrics/metric_form.h"

namespace demotic::learn {

// How the shards combine. With one shard, all schemes are the same learner.
enum class MarginScheme {
  mixing,       // separate within a sweep, averaged after it (McDonald et al. 2010)
  independent,  // separate throughout; only the returned weights are averaged
  minibatch,    // one list per shard, same weights; mean of the steps (Zhao & Huang 2013)
  shared,       // one list per shard, same weights; one step for all constraints jointly
                // (Chiang, Marton & Resnik 2008, section 2.5, in synchronous steps)
};

struct MarginOptions {
  double step = 0.01;        // C: maximum step for a margin constraint
  double bound_step = 0.01;  // D: maximum step for the bounds, upper and lower together
  double bound = std::numeric_limits<double>::infinity();  // B: bound on the spread of scores
  bool cutting_plane = false;
  double tolerance = 1e-4;  // smaller violations are ignored
  int32_t steps = 100;      // maximum number of solver steps, and of constraints per list
  double decay = 0.999;     // decay of the background statistics
  GainScale gain_scale = GainScale::length;
  bool hope_background = true;  // add the hope to the background, otherwise the model best
  bool running_average = true;  // average over all visits so far, otherwise over those of the sweep
  // Keep the sweep whose average scores best on the pool, otherwise the last.
  bool keep_best = true;
  int32_t sweeps = 60;
  int32_t shards = 1;  // learners, each with its own background
  MarginScheme scheme = MarginScheme::mixing;
  uint64_t seed = 1;
};

struct MarginSweep {
  double score = 0;        // metric score of the pool under the average
  double spread_mean = 0;  // mean of score(hope) - score(worst) before the update
  double spread_deviation = 0;
  int64_t updates = 0;  // visits that changed the weights
};

struct MarginResult {
  std::vector<double> weights;
  std::vector<MarginSweep> sweeps;
  int32_t kept = -1;        // the sweep that produced the weights; -1 for the initial weights
  bool overflowed = false;  // the weights were not finite after the last sweep, which was discarded
};

// With MarginScheme::shared, every shard takes the constraints of all shards, so shards that begin
// with equal weights stay equal; only their backgrounds differ.
//
// Shards are distributed over the threads; the result does not depend on the number of threads.
MarginResult learn_margins(const CandidateLists& lists, MetricForm form,
                           std::span<const double> weights, const MarginOptions& options,
                           ThreadPool& pool, const StopFlag& stop);

}  // namespace demotic::learn
