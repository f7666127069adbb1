#include "demotic/learn/line_search.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "demotic/base/clones.h"

namespace demotic::learn {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr int kWide = 8;
constexpr int kRoom = kWide + 3;  // padding, and the three lines that are put last
using Doubles = double __attribute__((vector_size(kWide * sizeof(double)), aligned(8), may_alias));
using Floats = float __attribute__((vector_size(kWide * sizeof(float)), aligned(4), may_alias));
using Integers = int64_t __attribute__((vector_size(kWide * sizeof(int64_t))));

DEMOTIC_INLINE const Doubles& load(const double* values) {
  return *reinterpret_cast<const Doubles*>(values);
}

struct Highest {
  int32_t index;
  double value;
};

// The lanes in another order, for every round of a reduction: neighbours at distance 4, 2, 1.
template <typename Wide>
DEMOTIC_INLINE Wide swapped4(const Wide& v) {
  return __builtin_shufflevector(v, v, 4, 5, 6, 7, 0, 1, 2, 3);
}
template <typename Wide>
DEMOTIC_INLINE Wide swapped2(const Wide& v) {
  return __builtin_shufflevector(v, v, 2, 3, 0, 1, 6, 7, 4, 5);
}
template <typename Wide>
DEMOTIC_INLINE Wide swapped1(const Wide& v) {
  return __builtin_shufflevector(v, v, 1, 0, 3, 2, 5, 4, 7, 6);
}

DEMOTIC_INLINE Doubles higher(const Doubles& a, const Doubles& b) { return b > a ? b : a; }
DEMOTIC_INLINE Integers lower(const Integers& a, const Integers& b) { return b < a ? b : a; }

// Each lane keeps its first highest value, so the lowest index of the highest lanes is the first.
// Without branches: which lane wins cannot be predicted.
DEMOTIC_INLINE Highest first_highest(const Doubles& values, const Integers& places) {
  Doubles best = higher(values, swapped4(values));
  best = higher(best, swapped2(best));
  best = higher(best, swapped1(best));
  Integers first = values == best ? places : Integers{} + std::numeric_limits<int64_t>::max();
  first = lower(first, swapped4(first));
  first = lower(first, swapped2(first));
  first = lower(first, swapped1(first));
  return {static_cast<int32_t>(first[0]), best[0]};
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

struct Outermost {
  int32_t left, right;
};

struct Range {
  double lowest, highest;
};

DEMOTIC_INLINE Range range_of(const Doubles& low, const Doubles& high) {
  Range range{low[0], high[0]};
  for (int lane = 1; lane < kWide; ++lane) {
    range.lowest = std::min(range.lowest, low[lane]);
    range.highest = std::max(range.highest, high[lane]);
  }
  return range;
}

// Of the slopes, whole lanes of them.
DEMOTIC_CLONES
Range slope_range(const double* slopes, int32_t padded) {
  Doubles low = load(slopes), high = low;
  for (int32_t i = kWide; i < padded; i += kWide) {
    const Doubles slope = load(slopes + i);
    low = slope < low ? slope : low;
    high = slope > high ? slope : high;
  }
  return range_of(low, high);
}

// Slopes from a column of features, and their range on the way.
DEMOTIC_CLONES
Range widen(const float* values, int32_t count, double* out) {
  const double first = values[0];
  Doubles low = Doubles{} + first, high = low;
  int32_t i = 0;
  for (; i + kWide <= count; i += kWide) {
    const Doubles slope =
        __builtin_convertvector(*reinterpret_cast<const Floats*>(values + i), Doubles);
    *reinterpret_cast<Doubles*>(out + i) = slope;
    low = slope < low ? slope : low;
    high = slope > high ? slope : high;
  }
  Range range = range_of(low, high);
  for (; i < count; ++i) {
    out[i] = static_cast<double>(values[i]);
    range = {std::min(range.lowest, out[i]), std::max(range.highest, out[i])};
  }
  return range;
}

// The columns of two lists are far from each other.
void prefetch(const float* values, int32_t count) {
  constexpr int32_t kLine = 64 / sizeof(float);
  for (int32_t i = 0; i < count; i += kLine) __builtin_prefetch(values + i, 0, 3);
}

// Of the lines with the lowest slope the first highest, and the same for the highest slope. The
// first `whole` scores come from `source` and are copied on the way.
DEMOTIC_CLONES
Outermost outermost(const double* source, int32_t whole, double* scores, const double* slopes,
                    int32_t padded, const Range& range) {
  const auto [lowest, highest] = range;
  const Doubles none = Doubles{} - kInfinity;
  Doubles left = none, right = none;
  Integers place{0, 1, 2, 3, 4, 5, 6, 7}, left_place = place, right_place = place;
  for (int32_t i = 0; i < padded; i += kWide, place += kWide) {
    const Doubles slope = load(slopes + i), score = load(i < whole ? source + i : scores + i);
    *reinterpret_cast<Doubles*>(scores + i) = score;
    const Doubles of_left = slope == lowest ? score : none;
    const auto is_left = of_left > left;
    left = is_left ? of_left : left;
    left_place = is_left ? place : left_place;
    const Doubles of_right = slope == highest ? score : none;
    const auto is_right = of_right > right;
    right = is_right ? of_right : right;
    right_place = is_right ? place : right_place;
  }
  return {first_highest(left, left_place).index, first_highest(right, right_place).index};
}

// Marks lines that are above one of two points.
DEMOTIC_CLONES
void mark_above(const double* scores, const double* slopes, int32_t padded, const double (&at)[2],
                const double (&value)[2], uint8_t* marks) {
  for (int32_t i = 0; i < padded; ++i)
    marks[i] = static_cast<uint8_t>(scores[i] + at[0] * slopes[i] > value[0]) |
               static_cast<uint8_t>(scores[i] + at[1] * slopes[i] > value[1]);
}

// Writes the places of marked lines in order; returns their number. Most have no mark.
int32_t marked(const uint8_t* marks, int32_t padded, int32_t* places) {
  int32_t found = 0;
  for (int32_t i = 0; i < padded; i += kWide) {
    uint64_t eight;
    std::memcpy(&eight, marks + i, sizeof eight);
    if (eight == 0) continue;
    for (int32_t j = i; j < i + kWide; ++j) {
      places[found] = j;
      found += marks[j];
    }
  }
  return found;
}

}  // namespace

LineSearch::LineSearch(const CandidateLists& lists, MetricForm form)
    : lists_(lists),
      sweep_(form, lists.statistics_size()),
      scores_(lists.longest() + kRoom),
      slopes_(lists.longest() + kRoom),
      places_(lists.longest() + kRoom),
      marks_(lists.longest() + kRoom) {}

LinePoint LineSearch::along_feature(std::span<const double> scores, int32_t feature,
                                    const StopFlag& stop) {
  sweep_.begin();
  for (int64_t list = 0; list < lists_.size(); ++list) {
    if (lists_.length(list) == 0) continue;
    stop.check();
    if (list + 1 < lists_.size())
      prefetch(lists_.column(list + 1, feature), lists_.length(list + 1));
    const Range range = widen(lists_.column(list, feature), lists_.length(list), slopes_.data());
    if (range.lowest == range.highest)
      add_best(list, scores);
    else
      add_list(list, scores.data() + lists_.first(list), range.lowest, range.highest);
  }
  return sweep_.best();
}

LinePoint LineSearch::along(std::span<const double> scores, std::span<const double> direction,
                            const StopFlag& stop) {
  sweep_.begin();
  for (int64_t list = 0; list < lists_.size(); ++list) {
    if (lists_.length(list) == 0) continue;
    stop.check();
    if (list + 1 < lists_.size()) lists_.prefetch(list + 1);
    lists_.score_dense(list, direction, slopes_.data());
    pad(lists_.length(list));
    const Range range = slope_range(slopes_.data(), padded_);
    add_list(list, scores.data() + lists_.first(list), range.lowest, range.highest);
  }
  return sweep_.best();
}

// Parallel lines: the first highest, wherever we are.
void LineSearch::add_best(int64_t list, std::span<const double> scores) {
  const double* own = scores.data() + lists_.first(list);
  const auto best = std::max_element(own, own + lists_.length(list)) - own;
  sweep_.add_first(lists_.statistics(lists_.first(list) + best), lists_.weight(list));
}

// The outermost lines first, then what is highest where they cross. Of the rest only lines above
// the crossings of these three can be on the envelope, and they are few.
void LineSearch::add_list(int64_t list, const double* scores, double lowest, double highest) {
  list_ = list;
  const int32_t count = lists_.length(list), whole = count / kWide * kWide;
  std::copy(scores + whole, scores + count, scores_.data() + whole);
  pad(count);
  const auto [left, right] =
      outermost(scores, whole, scores_.data(), slopes_.data(), padded_, {lowest, highest});
  sweep_.add_first(lists_.statistics(lists_.first(list) + left), lists_.weight(list));
  if (!(slopes_[left] < slopes_[right])) return;
  const int32_t top = highest_between(left, right);
  if (top < 0) {
    places_[left] = left;
    places_[right] = right;
    return add_break(left, right);
  }
  const double at[2] = {crossing(left, top), crossing(top, right)};
  const double value[2] = {scores_[top] + at[0] * slopes_[top],
                           scores_[top] + at[1] * slopes_[top]};
  mark_above(scores_.data(), slopes_.data(), padded_, at, value, marks_.data());
  const int32_t above = marked(marks_.data(), padded_, places_.data());
  keep(above, {left, top, right});
  if (above == 0) {
    add_break(0, 1);
    return add_break(1, 2);
  }
  split(above, above + 1);
  split(above + 1, above + 2);
}

void LineSearch::pad(int32_t count) {
  padded_ = (count + kWide - 1) / kWide * kWide;
  std::fill(scores_.begin() + count, scores_.begin() + padded_, -kInfinity);
  std::fill(slopes_.begin() + count, slopes_.begin() + padded_, slopes_[0]);
}

// Moves the lines whose places are given to the front, and `others` behind them.
void LineSearch::keep(int32_t count, const std::array<int32_t, 3>& others) {
  std::array<double, 3> score, slope;
  for (size_t i = 0; i < others.size(); ++i)
    score[i] = scores_[others[i]], slope[i] = slopes_[others[i]];
  for (int32_t i = 0; i < count; ++i) {
    scores_[i] = scores_[places_[i]];
    slopes_[i] = slopes_[places_[i]];
  }
  for (size_t i = 0; i < others.size(); ++i) {
    scores_[count + i] = score[i], slopes_[count + i] = slope[i];
    places_[count + i] = others[i];
  }
  pad(count + static_cast<int32_t>(others.size()));
}

double LineSearch::crossing(int32_t left, int32_t right) const {
  return (scores_[left] - scores_[right]) / (slopes_[right] - slopes_[left]);
}

// The first line that is highest where two lines of the envelope cross, or -1 if they are.
int32_t LineSearch::highest_between(int32_t left, int32_t right) const {
  const double at = crossing(left, right);
  if (!std::isfinite(at)) return -1;
  const Highest top = highest_at(scores_.data(), slopes_.data(), padded_, at);
  const double reached =
      std::max(scores_[left] + at * slopes_[left], scores_[right] + at * slopes_[right]);
  const double slope = slopes_[top.index];
  // Strictly between: rounding must not make two lines out of one.
  const bool between = slopes_[left] < slope && slope < slopes_[right];
  return top.value > reached && between ? top.index : -1;
}

// Adds the breaks between two lines of the envelope, from left to right. The depth is the number
// of lines of the envelope at worst, and they are few.
void LineSearch::split(int32_t left, int32_t right) {
  const int32_t top = highest_between(left, right);
  if (top < 0) return add_break(left, right);
  split(left, top);
  split(top, right);
}

void LineSearch::add_break(int32_t left, int32_t right) {
  const int64_t first = lists_.first(list_);
  sweep_.add_break(crossing(left, right), lists_.statistics(first + places_[left]),
                   lists_.statistics(first + places_[right]), lists_.weight(list_));
}

}  // namespace demotic::learn
