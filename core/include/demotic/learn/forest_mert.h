// Hypergraph MERT (Kumar, Macherey, Dyer & Och 2009): the line search of MERT over all derivations
// in the forests of a tuning set. Along a direction, the best derivations of a forest are the
// segments of its envelope (forest/envelope.h); the statistics of their yields go to line_sweep.h.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "demotic/base/stop.h"
#include "demotic/base/thread_pool.h"
#include "demotic/forest/envelope.h"
#include "demotic/learn/forest_set.h"
#include "demotic/learn/line_sweep.h"
#include "demotic/learn/mert.h"
#include "demotic/metrics/metric_form.h"

namespace demotic::learn {

// The forests and their current edge scores, as the space that climb.h searches. Forests are
// distributed over the threads; the result does not depend on the number of threads.
class ForestSpace {
 public:
  // Keeps references to its arguments.
  ForestSpace(const ForestSet& set, MetricForm form, ThreadPool& pool, const StopFlag& stop);

  int32_t directions() const { return set_.features; }
  void rescore(std::span<const double> weights);
  LinePoint along_feature(int32_t feature, const StopFlag& stop);
  LinePoint along(std::span<const double> direction, const StopFlag& stop);
  void move(int32_t feature, double step);
  double score() const { return score_of(form_, best_statistics(set_, scores_, pool_, stop_)); }
  // Number of envelope segments found so far.
  int64_t segments() const { return segments_; }

 private:
  struct Worker {
    RowCounter counter;
    EnvelopeFinder envelope;
    std::vector<double> slopes;
  };
  struct Segments {
    std::vector<double> left;
    std::vector<int32_t> rows;
  };

  template <typename Slopes>
  LinePoint search(Slopes&& slopes, const StopFlag& stop);
  LinePoint sweep();

  const ForestSet& set_;
  const MetricForm form_;
  ThreadPool& pool_;
  const StopFlag& stop_;
  std::vector<Worker> workers_;              // one per thread
  std::vector<std::vector<double>> scores_;  // per forest: one score per edge
  std::vector<Segments> found_;              // per forest: segments along the current direction
  LineSweep sweep_;
  int64_t segments_ = 0;
};

// Runs one climb after the other; each feature is a direction.
MertResult forest_mert(const ForestSet& set, MetricForm form, std::span<const double> weights,
                       const MertOptions& options, ThreadPool& pool, const StopFlag& stop);

}  // namespace demotic::learn
