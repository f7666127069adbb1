// The exact line search of MERT (Och 2003). Along a direction every candidate is a line
// score + step * slope; a list's best candidate changes only at the break points of the upper
// envelope of its lines. All break points are merged and swept once from left to right, while the
// statistics of the best candidates are added and subtracted. O(candidates * segments of a list)
// by vector scans, plus a radix sort of the break points.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "demotic/base/radix_sort.h"
#include "demotic/base/stop.h"
#include "demotic/learn/candidates.h"
#include "demotic/learn/metric_form.h"

namespace demotic {

struct LinePoint {
  double step, score;
};

// Intervals narrower than this, relative to where they are, cannot be hit by rounded weights.
inline constexpr double kNarrow = 1e-9;
// How far beyond the last break point an unbounded interval is entered.
inline constexpr double kBeyond = 1.0;

// Scratch space of one thread.
class LineSearch {
 public:
  LineSearch(const CandidateLists& lists, MetricForm form);

  // `scores` of all candidates at step 0; the direction is one dense feature, or a vector over all
  // of them. The middle of the best interval; of equally good ones, that nearest to 0.
  LinePoint along_feature(std::span<const double> scores, int32_t feature, const StopFlag& stop);
  LinePoint along(std::span<const double> scores, std::span<const double> direction,
                  const StopFlag& stop);

 private:
  struct Break {
    double at, weight;  // of the list
  };
  struct FoundBreak {
    Break place;
    const int32_t *before, *after;  // statistics
  };

  void begin();
  void add_list(int64_t list, const double* scores);  // slopes stand in slopes_
  void pad(int32_t count);
  void keep(int32_t count, const std::array<int32_t, 3>& others);
  double crossing(int32_t left, int32_t right) const;
  int32_t highest_between(int32_t left, int32_t right) const;
  void split(int32_t left, int32_t right);
  void add_break(int32_t left, int32_t right);
  void settle();
  void add_statistics(const int32_t* values, double weight);
  LinePoint sweep();

  const CandidateLists& lists_;
  const MetricForm form_;
  // The lines of the current list that can still be on its envelope, padded to whole lanes.
  int64_t list_ = 0;
  int32_t padded_ = 0;
  std::vector<double> scores_, slopes_;
  std::vector<int32_t> places_;  // of the lines in the list
  std::vector<uint8_t> marks_;
  std::vector<double> sums_;
  std::vector<FoundBreak> found_;
  std::vector<Break> breaks_;
  std::vector<int32_t> changes_;  // of the statistics, a row a break
  std::vector<KeyedIndex> order_;
};

}  // namespace demotic
