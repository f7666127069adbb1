// Margin learners on candidate lists, one list after the other in shuffled order:
//
//   MIRA  min 1/2 ||w - w_t||^2 + C xi            with  score(hope) - score(y) >= gain(hope) -
//   gain(y) - xi RM    the same + D tau                        and   |score(hope) - score(y)| <= B
//   + tau
//
// for all candidates y of the list. Passive-aggressive steps look at the most violated constraint
// of each kind once (Cherry & Foster 2012; Eidelman, Marton & Resnik 2013, "RM-PA"); the cutting
// plane adds the most violated constraint until there is none and solves each problem by `smo`
// (their Algorithm 1 with its mistakes mended: the lower bound looks for the lowest difference, and
// both bounds subtract their slack). An infinite B is MIRA.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "demotic/base/stop.h"
#include "demotic/base/thread_pool.h"
#include "demotic/learn/candidates.h"
#include "demotic/learn/rivals.h"
#include "demotic/metrics/metric_form.h"

namespace demotic::learn {

// What shards have to do with each other. With one of them all of these are the same learner.
enum class MarginScheme {
  mixing,       // they learn apart in a sweep and are averaged after it (McDonald et al. 2010)
  independent,  // they learn apart in all sweeps; only what is returned is averaged
  minibatch,    // a list each with the same weights; the mean of their steps (Zhao & Huang 2013)
  shared,       // a list each with the same weights; one step for all their constraints together
                // (Chiang, Marton & Resnik 2008, 2.5, in synchronous steps)
};

struct MarginOptions {
  double step = 0.01;        // C: the longest step for a margin
  double bound_step = 0.01;  // D: the longest step for the bounds, upper and lower together
  double bound = std::numeric_limits<double>::infinity();  // B: of the spread of scores
  bool cutting_plane = false;
  double tolerance = 1e-4;  // violations below it are none
  int32_t steps = 100;      // of the solver, and constraints of a list, at most
  double decay = 0.999;     // of the background
  GainScale gain_scale = GainScale::length;
  bool hope_background = true;  // the background takes hopes, or else the best by score
  bool running_average = true;  // over all visits so far, or else over those of the sweep
  bool keep_best = true;        // the sweep whose average ranks the pool best, or else the last
  int32_t sweeps = 60;
  int32_t shards = 1;  // learners with a background of their own
  MarginScheme scheme = MarginScheme::mixing;
  uint64_t seed = 1;
};

struct MarginSweep {
  double score = 0;        // of the pool under the average
  double spread_mean = 0;  // of score(hope) - score(worst), before the update
  double spread_deviation = 0;
  int64_t updates = 0;  // visits that moved the weights
};

struct MarginResult {
  std::vector<double> weights;
  std::vector<MarginSweep> sweeps;
  int32_t kept = -1;        // the sweep that the weights are of; -1: they are those given
  bool overflowed = false;  // weights were not finite after the last sweep, which was dropped
};

// Shared hypotheses: every shard takes the constraints of all, so that shards that begin with the
// same weights always have the same; what is kept apart are their backgrounds.
//
// Shards are given to the threads; the result is the same for any number of threads.
MarginResult learn_margins(const CandidateLists& lists, MetricForm form,
                           std::span<const double> weights, const MarginOptions& options,
                           ThreadPool& pool, const StopFlag& stop);

}  // namespace demotic::learn
