#include "demotic/learn/line_search.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "demotic/align/clones.h"

namespace demotic {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr int kWide = 8;
using Doubles = double __attribute__((vector_size(kWide * sizeof(double)), aligned(8), may_alias));
using Integers = int64_t __attribute__((vector_size(kWide * sizeof(int64_t))));

DEMOTIC_INLINE const Doubles& load(const double* values) {
  return *reinterpret_cast<const Doubles*>(values);
}

struct Highest {
  int32_t index;
  double value;
};

// Each lane keeps its first highest value, so the lowest index of the highest lanes is the first.
DEMOTIC_INLINE Highest first_highest(const Doubles& values, const Integers& places) {
  Highest best{static_cast<int32_t>(places[0]), values[0]};
  for (int lane = 1; lane < kWide; ++lane)
    if (values[lane] > best.value || (values[lane] == best.value && places[lane] < best.index))
      best = {static_cast<int32_t>(places[lane]), values[lane]};
  return best;
}

// The first highest line at a step. The loop of loops: two loads, a product, a sum, a comparison.
DEMOTIC_CLONES
Highest highest_at(const double* scores, const double* slopes, int32_t padded, double step) {
  Doubles best = Doubles{} - kInfinity;
  Integers place{0, 1, 2, 3, 4, 5, 6, 7}, places = place;
  for (int32_t i = 0; i < padded; i += kWide, place += kWide) {
    const Doubles value = load(scores + i) + step * load(slopes + i);
    const auto higher = value > best;
    best = higher ? value : best;
    places = higher ? place : places;
  }
  return first_highest(best, places);
}

// The first highest of the lines with the slope that is extreme in the direction of `sign`.
DEMOTIC_CLONES
Highest steepest(const double* scores, const double* slopes, int32_t padded, double sign) {
  Doubles extreme = sign * load(slopes);
  for (int32_t i = kWide; i < padded; i += kWide) {
    const Doubles slope = sign * load(slopes + i);
    extreme = slope > extreme ? slope : extreme;
  }
  double slope = extreme[0];
  for (int lane = 1; lane < kWide; ++lane) slope = std::max(slope, extreme[lane]);
  const Doubles none = Doubles{} - kInfinity;
  Doubles best = none;
  Integers place{0, 1, 2, 3, 4, 5, 6, 7}, places = place;
  for (int32_t i = 0; i < padded; i += kWide, place += kWide) {
    const Doubles value = sign * load(slopes + i) == slope ? load(scores + i) : none;
    const auto higher = value > best;
    best = higher ? value : best;
    places = higher ? place : places;
  }
  return first_highest(best, places);
}

DEMOTIC_CLONES
void widen(const float* values, int32_t count, double* out) {
  for (int32_t i = 0; i < count; ++i) out[i] = static_cast<double>(values[i]);
}

}  // namespace

LineSearch::LineSearch(const CandidateLists& lists, MetricForm form)
    : lists_(lists),
      sweep_(form, lists.statistics_size()),
      scores_(lists.longest() + kWide),
      slopes_(lists.longest() + kWide) {}

LinePoint LineSearch::along_feature(std::span<const double> scores, int32_t feature,
                                    const StopFlag& stop) {
  sweep_.begin();
  for (int64_t list = 0; list < lists_.size(); ++list) {
    if (lists_.length(list) == 0) continue;
    stop.check();
    widen(lists_.column(list, feature), lists_.length(list), slopes_.data());
    add_list(list, scores.data() + lists_.first(list));
  }
  return sweep_.best();
}

LinePoint LineSearch::along(std::span<const double> scores, std::span<const double> direction,
                            const StopFlag& stop) {
  sweep_.begin();
  for (int64_t list = 0; list < lists_.size(); ++list) {
    if (lists_.length(list) == 0) continue;
    stop.check();
    lists_.score_dense(list, direction, slopes_.data());
    add_list(list, scores.data() + lists_.first(list));
  }
  return sweep_.best();
}

// The outermost lines first; then whatever is above the crossing of two neighbours.
void LineSearch::add_list(int64_t list, const double* scores) {
  const int32_t count = lists_.length(list);
  const int32_t padded = (count + kWide - 1) / kWide * kWide;
  std::copy_n(scores, count, scores_.data());
  std::fill(scores_.begin() + count, scores_.begin() + padded, -kInfinity);
  std::fill(slopes_.begin() + count, slopes_.begin() + padded, slopes_[0]);
  const int32_t left = steepest(scores_.data(), slopes_.data(), padded, -1).index;
  sweep_.add_first(lists_.statistics(lists_.first(list) + left), lists_.weight(list));
  const int32_t right = steepest(scores_.data(), slopes_.data(), padded, 1).index;
  if (slopes_[left] < slopes_[right]) split(list, left, right);
}

// Adds the breaks between two lines of the envelope, from left to right. The depth is the number
// of lines of the envelope at worst, and they are few.
void LineSearch::split(int64_t list, int32_t left, int32_t right) {
  const int32_t padded = (lists_.length(list) + kWide - 1) / kWide * kWide;
  const double at = (scores_[left] - scores_[right]) / (slopes_[right] - slopes_[left]);
  if (!std::isfinite(at)) return add_break(list, left, right);
  const Highest top = highest_at(scores_.data(), slopes_.data(), padded, at);
  const double reached =
      std::max(scores_[left] + at * slopes_[left], scores_[right] + at * slopes_[right]);
  const double slope = slopes_[top.index];
  // Strictly between: rounding must not make two lines out of one.
  if (top.value > reached && slopes_[left] < slope && slope < slopes_[right]) {
    split(list, left, top.index);
    split(list, top.index, right);
  } else {
    add_break(list, left, right);
  }
}

void LineSearch::add_break(int64_t list, int32_t left, int32_t right) {
  const double at = (scores_[left] - scores_[right]) / (slopes_[right] - slopes_[left]);
  sweep_.add_break(at, lists_.statistics(lists_.first(list) + left),
                   lists_.statistics(lists_.first(list) + right), lists_.weight(list));
}

}  // namespace demotic
