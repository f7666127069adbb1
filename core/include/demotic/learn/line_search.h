// The exact line search of MERT (Och 2003). Along a direction every candidate is a line
// score + step * slope; a list's best candidate changes only at the break points of the upper
// envelope of its lines; line_sweep.h takes it from there. O(candidates * segments of a list) by
// vector scans, plus a radix sort of the break points.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "demotic/base/stop.h"
#include "demotic/learn/candidates.h"
#include "demotic/learn/line_sweep.h"
#include "demotic/metrics/metric_form.h"

namespace demotic::learn {

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
  void add_best(int64_t list, std::span<const double> scores);
  // Slopes stand in slopes_, and are from lowest to highest.
  void add_list(int64_t list, const double* scores, double lowest, double highest);
  void pad(int32_t count);
  void keep(int32_t count, const std::array<int32_t, 3>& others);
  double crossing(int32_t left, int32_t right) const;
  int32_t highest_between(int32_t left, int32_t right) const;
  void split(int32_t left, int32_t right);
  void add_break(int32_t left, int32_t right);

  const CandidateLists& lists_;
  LineSweep sweep_;
  // The lines of the current list that can still be on its envelope, padded to whole lanes.
  int64_t list_ = 0;
  int32_t padded_ = 0;
  std::vector<double> scores_, slopes_;
  std::vector<int32_t> places_;  // of the lines in the list
  std::vector<uint8_t> marks_;
};

}  // namespace demotic::learn
