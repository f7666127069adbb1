#include "demotic/learn/line_search.h"

namespace demotic::learn {

LineSearch::LineSearch(const CandidateLists& lists, MetricForm form)
    : lists_(lists), sweep_(form, lists.statistics_size()), envelope_(lists.longest()) {}

LinePoint LineSearch::along_feature(std::span<const double> scores, int32_t feature,
                                    const StopFlag& stop) {
  sweep_.begin();
  for (int64_t list = 0; list < lists_.size(); ++list) {
    if (lists_.length(list) == 0) continue;
    stop.check();
    envelope_.find(scores.data() + lists_.first(list), lists_.column(list, feature),
                   lists_.length(list), lists_.outermost(list, feature));
    add_envelope(list);
  }
  return sweep_.best();
}

LinePoint LineSearch::along(std::span<const double> scores, std::span<const double> direction,
                            const StopFlag& stop) {
  sweep_.begin();
  for (int64_t list = 0; list < lists_.size(); ++list) {
    if (lists_.length(list) == 0) continue;
    stop.check();
    lists_.score_dense(list, direction, envelope_.slopes());
    envelope_.find(scores.data() + lists_.first(list), lists_.length(list));
    add_envelope(list);
  }
  return sweep_.best();
}

// Breakpoints between lines with the same statistics are dropped.
void LineSearch::add_envelope(int64_t list) {
  const std::span<const int32_t> lines = envelope_.lines();
  const std::span<const double> breaks = envelope_.breaks();
  const int32_t* ids = lists_.statistics_ids(list);
  const double weight = lists_.weight(list);
  int32_t before = ids[lines[0]];
  sweep_.add_first(lists_.distinct_row(list, before), weight);
  for (size_t i = 0; i < breaks.size(); ++i) {
    const int32_t after = ids[lines[i + 1]];
    if (after == before) continue;
    sweep_.add_break(breaks[i], lists_.distinct_row(list, before), lists_.distinct_row(list, after),
                     weight);
    before = after;
  }
}

}  // namespace demotic::learn
