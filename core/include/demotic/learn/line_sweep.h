// The second half of an exact line search (Och 2003): where along a line is the metric best, when
// every sentence says at which steps its best candidate changes? All break points are merged by a
// radix sort and swept once from left to right, while statistics are added and subtracted. Where
// the candidates come from, a list or the envelope of a forest, does not matter. A metric that
// scores rows gets the sums of many intervals at once.
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

// Intervals narrower than this, relative to where they are, cannot be hit by rounded weights.
inline constexpr double kNarrow = 1e-9;
// How far beyond the last break point an unbounded interval is entered.
inline constexpr double kBeyond = 1.0;

// Scratch space of one search. Rows of statistics belong to the caller and must outlive `best`.
class LineSweep {
 public:
  LineSweep(MetricForm form, int32_t statistics) : form_(form), sums_(statistics) {}

  void begin();
  // The statistics of a sentence at minus infinity.
  void add_first(const int32_t* row, double weight);
  // The sentence changes from one candidate to another. Where nothing changes there is no break.
  void add_break(double at, const int32_t* before, const int32_t* after, double weight);
  // The middle of the best interval; of equally good ones, that nearest to 0.
  LinePoint best();

 private:
  struct Break {
    double at, weight;  // of the sentence
  };
  struct FoundBreak {
    Break place;
    const int32_t *before, *after;  // statistics
  };
  struct FoundFirst {
    const int32_t* row;
    double weight;
  };

  // The best interval so far.
  struct Found {
    LinePoint point;
    double nearest;  // its distance from 0
  };

  void add(const int32_t* row, double factor);
  void add_firsts();
  void settle();
  void sort();
  template <typename Visit>
  void visit_intervals(Visit&& visit);
  LinePoint best_by_formula();
  LinePoint best_by_rows();
  void score_waiting(Found& found);

  MetricForm form_;
  std::vector<double> sums_;
  std::vector<FoundFirst> firsts_;
  std::vector<FoundBreak> found_;
  std::vector<Break> breaks_;
  std::vector<int32_t> changes_;  // of the statistics, a row a break
  std::vector<KeyedIndex> order_, sorting_;

  // Of a metric that scores rows: intervals that wait for their scores, and their sums.
  std::vector<std::array<double, 2>> waiting_;
  std::vector<double> rows_, row_scores_;
};

}  // namespace demotic::learn
