// The exact line search of MERT (Och 2003). Along a direction, the score of each candidate is a
// line score + step * slope, and the best candidate of a list changes only at the breakpoints of
// the upper envelope of its lines; line_sweep.h merges the breakpoints of all lists. Time:
// O(candidates * envelope segments) per list in vectorised scans, plus a radix sort of all
// breakpoints.
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

// Holds scratch space; not thread-safe, use one instance per thread.
class LineSearch {
 public:
  LineSearch(const CandidateLists& lists, MetricForm form);

  // `scores` of all candidates at step 0. The direction is one dense feature, or a vector over all
  // dense features. Returns the midpoint of the best interval; among equally good ones, of the one
  // nearest to 0.
  LinePoint along_feature(std::span<const double> scores, int32_t feature, const StopFlag& stop);
  LinePoint along(std::span<const double> scores, std::span<const double> direction,
                  const StopFlag& stop);

 private:
  void add_best(int64_t list, std::span<const double> scores);
  // Reads the slopes from slopes_; they range from `lowest` to `highest`.
  void add_list(int64_t list, const double* scores, double lowest, double highest);
  void pad(int32_t count);
  void keep(int32_t count, const std::array<int32_t, 3>& others);
  double crossing(int32_t left, int32_t right) const;
  int32_t highest_between(int32_t left, int32_t right) const;
  void split(int32_t left, int32_t right);
  void add_break(int32_t left, int32_t right);

  const CandidateLists& lists_;
  LineSweep sweep_;
  // The lines of the current list that may be on its envelope, padded to full vectors.
  int64_t list_ = 0;
  int32_t padded_ = 0;
  std::vector<double> scores_, slopes_;
  std::vector<int32_t> places_;  // position of each line in the list
  std::vector<uint8_t> marks_;
};

}  // namespace demotic::learn
