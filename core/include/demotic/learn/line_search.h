// The exact line search of MERT (Och 2003). Along a direction, the score of each candidate is a
// line score + step * slope, and the best candidate of a list changes only at the breakpoints of
// the upper envelope of its lines (list_envelope.h); line_sweep.h merges the breakpoints of all
// lists. Time: O(candidates * envelope segments) per list in vectorised scans, plus a radix sort of
// all breakpoints.
#pragma once

#include <cstdint>
#include <span>

#include "demotic/base/stop.h"
#include "demotic/learn/candidates.h"
#include "demotic/learn/line_sweep.h"
#include "demotic/learn/list_envelope.h"
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
  void add_envelope(int64_t list);

  const CandidateLists& lists_;
  LineSweep sweep_;
  ListEnvelope envelope_;
};

}  // namespace demotic::learn
