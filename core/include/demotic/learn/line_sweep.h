// The second half of the exact line search (Och 2003): given the steps at which the best candidate
// of each sentence changes, finds the interval with the best metric score. All breakpoints are
// merged by a radix sort and swept once from left to right, adding and subtracting statistics.
// Works for candidate lists and for the envelopes of forests. Metrics that score rows of statistics
// receive the sums of many intervals per call.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "demotic/base/radix_sort.h"
#include "demotic/metrics/metric_form.h"

namespace demotic::learn {

struct LinePoint {
  double step, score;
};

// Intervals narrower than this, relative to their position, cannot be hit reliably with rounded
// weights.
inline constexpr double kNarrow = 1e-9;
// Distance from the last breakpoint to the point chosen in an unbounded interval.
inline constexpr double kBeyond = 1.0;

// Holds scratch space for one search. The rows of statistics belong to the caller and must stay
// valid until `best` returns.
class LineSweep {
 public:
  LineSweep(MetricForm form, int32_t statistics) : form_(form), sums_(statistics) {}

  void begin();
  // Adds the statistics of a sentence at step -infinity.
  void add_first(const int32_t* row, double weight);
  // At step `at` the best candidate of a sentence changes, and with it the statistics.
  void add_break(double at, const int32_t* before, const int32_t* after, double weight);
  // Returns the midpoint of the best interval; among equally good ones, of the one nearest to 0.
  LinePoint best();

 private:
  struct Break {
    double at, weight;  // step, and weight of the sentence
  };
  struct PrefetchedBreak {
    Break place;
    const int32_t *before, *after;  // statistics
  };
  struct FirstRow {
    const int32_t* row;
    double weight;
  };

  // The best interval so far.
  struct BestInterval {
    LinePoint point;
    double nearest;  // distance of the interval from 0
  };

  void add(const int32_t* row, double factor);
  void add_prefetched_rows();
  void add_prefetched_breaks();
  void sort();
  template <typename Visit>
  void visit_intervals(Visit&& visit);
  LinePoint best_by_formula();
  LinePoint best_by_rows();
  void score_waiting(BestInterval& found);

  MetricForm form_;
  std::vector<double> sums_;
  std::vector<FirstRow> prefetched_rows_;
  std::vector<PrefetchedBreak> prefetched_breaks_;
  std::vector<Break> breaks_;
  std::vector<int32_t> changes_;  // one row of differences per breakpoint
  std::vector<KeyedIndex> order_, sort_scratch_;

  // For metrics that score rows: intervals not yet scored, and their sums.
  std::vector<std::array<double, 2>> waiting_;
  std::vector<double> rows_, row_scores_;
};

}  // namespace demotic::learn
