// Hypergraph MERT (Kumar, Macherey, Dyer & Och 2009): the line search of MERT over all derivations
// of the forests of a tuning set. Along a direction the best derivations of a forest are the
// segments of its envelope (forest/envelope.h); their yields are scored, the rest is line_sweep.h.
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

// The forests while weights move; one score an edge. Threads share the forests of one search, and
// their number changes nothing.
class ForestSpace {
 public:
  // Borrows what it is given.
  ForestSpace(const ForestSet& set, MetricForm form, ThreadPool& pool, const StopFlag& stop);

  int32_t directions() const { return set_.features; }
  void rescore(std::span<const double> weights);
  LinePoint along_feature(int32_t feature, const StopFlag& stop);
  LinePoint along(std::span<const double> direction, const StopFlag& stop);
  void move(int32_t feature, double step);
  double score() const { return score_of(form_, best_statistics(set_, scores_, pool_, stop_)); }
  // Segments of all envelopes so far.
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
  std::vector<Worker> workers_;              // one a thread
  std::vector<std::vector<double>> scores_;  // of the edges of every forest
  std::vector<Segments> found_;              // of every forest, of the search under way
  LineSweep sweep_;
  int64_t segments_ = 0;
};

// One climb after the other; every feature is a direction.
MertResult forest_mert(const ForestSet& set, MetricForm form, std::span<const double> weights,
                       const MertOptions& options, ThreadPool& pool, const StopFlag& stop);

}  // namespace demotic::learn
