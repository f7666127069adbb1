#include "demotic/learn/list_envelope.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>

#include "lanes.h"

namespace demotic::learn {
namespace {

constexpr int kPadding = 2 * kWide;  // a vector beyond the last, or three lines appended and padded
using Work = EnvelopeWork;
using Gap = EnvelopeWork::Gap;

// The first lines with the highest score at each of some steps. The hottest loop of MERT: two
// loads, and a multiplication, an addition and a comparison per line and step.
template <size_t kSteps>
DEMOTIC_INLINE std::array<Highest, kSteps> highest_at(const Work& work,
                                                      const std::array<double, kSteps>& steps) {
  Integers place{0, 1, 2, 3, 4, 5, 6, 7}, places[kSteps];
  Doubles best[kSteps];
  for (size_t k = 0; k < kSteps; ++k) best[k] = Doubles{} - kInfinity, places[k] = place;
  for (int32_t i = 0; i < work.padded; i += kWide, place += kWide)
    for (size_t k = 0; k < kSteps; ++k) {
      const Doubles value = load(work.scores + i) + steps[k] * load(work.slopes + i);
      const auto is_higher = value > best[k];
      best[k] = choose(is_higher, value, best[k]);
      places[k] = choose(is_higher, place, places[k]);
    }
  std::array<Highest, kSteps> found;
  for (size_t k = 0; k < kSteps; ++k) found[k] = first_highest(best[k], places[k]);
  return found;
}

DEMOTIC_INLINE void pad(Work& work, int32_t count) {
  work.padded = (count + kWide - 1) / kWide * kWide;
  store(Doubles{} - kInfinity, work.scores + count);
  store(Doubles{} + work.slopes[0], work.slopes + count);
}

struct Outermost {
  int32_t left, right;
};

// Copies the last values, at least those after the last full vector.
template <typename Value>
DEMOTIC_INLINE void copy_end(const Value* values, int32_t count, double* out) {
  if (count >= kWide) return store(load(values + count - kWide), out + count - kWide);
  for (int32_t i = 0; i < count; ++i) out[i] = static_cast<double>(values[i]);
}

// Among the lines with the lowest slope, the first with the highest score; and the same for the
// highest slope. Copies the lines on the way.
template <typename Slope>
DEMOTIC_INLINE Outermost outermost(const double* scores, const Slope* slopes, int32_t count,
                                   const ValueRange& range, Work& work) {
  const int32_t whole = count / kWide * kWide;
  copy_end(scores, count, work.scores);
  copy_end(slopes, count, work.slopes);
  work.slopes[0] = static_cast<double>(slopes[0]);
  pad(work, count);
  const Doubles none = Doubles{} - kInfinity;
  Doubles left = none, right = none;
  Integers place{0, 1, 2, 3, 4, 5, 6, 7}, left_place = place, right_place = place;
  for (int32_t i = 0; i < work.padded; i += kWide, place += kWide) {
    const Doubles slope = i < whole ? load(slopes + i) : load(work.slopes + i);
    const Doubles score = load(i < whole ? scores + i : work.scores + i);
    store(slope, work.slopes + i);
    store(score, work.scores + i);
    const Doubles of_left = choose(slope == range.lowest, score, none);
    const auto is_left = of_left > left;
    left = choose(is_left, of_left, left);
    left_place = choose(is_left, place, left_place);
    const Doubles of_right = choose(slope == range.highest, score, none);
    const auto is_right = of_right > right;
    right = choose(is_right, of_right, right);
    right_place = choose(is_right, place, right_place);
  }
  return {first_highest(left, left_place).index, first_highest(right, right_place).index};
}

DEMOTIC_INLINE double crossing(const Work& work, int32_t left, int32_t right) {
  return (work.scores[left] - work.scores[right]) / (work.slopes[right] - work.slopes[left]);
}

// The first line that is highest where two lines of the envelope cross, or -1 if those two are.
DEMOTIC_INLINE int32_t above_crossing(const Work& work, int32_t left, int32_t right, double at,
                                      const Highest& top) {
  const double reached = std::max(work.scores[left] + at * work.slopes[left],
                                  work.scores[right] + at * work.slopes[right]);
  const double slope = work.slopes[top.index];
  // Strictly between, so that rounding does not duplicate a line.
  const bool between = (work.slopes[left] < slope) & (slope < work.slopes[right]);
  return (std::isfinite(at) & (top.value > reached) & between) ? top.index : -1;
}

DEMOTIC_INLINE Gap gap_between(const Work& work, int32_t left, int32_t right) {
  const double at = crossing(work, left, right);
  const auto [top] = highest_at<1>(work, {at});
  return {at, right, above_crossing(work, left, right, at, top)};
}

// Writes the gaps on both sides of a line, the left one last. One scan: the latencies overlap.
DEMOTIC_INLINE void gaps_around(const Work& work, int32_t left, int32_t middle, int32_t right,
                                Gap* out) {
  const double first = crossing(work, left, middle), second = crossing(work, middle, right);
  const auto tops = highest_at<2>(work, {first, second});
  out[0].at = second, out[0].right = right;
  out[0].top = above_crossing(work, middle, right, second, tops[1]);
  out[1].at = first, out[1].right = middle;
  out[1].top = above_crossing(work, left, middle, first, tops[0]);
}

// Marks lines that lie above either of two points of the line `top`.
DEMOTIC_INLINE void mark_above(const Work& work, int32_t top, double first, double second) {
  const double *scores = work.scores, *slopes = work.slopes;
  const double first_value = scores[top] + first * slopes[top];
  const double second_value = scores[top] + second * slopes[top];
  uint8_t* marks = work.marks;
  for (int32_t i = 0; i < work.padded; ++i)
    marks[i] = static_cast<uint8_t>(scores[i] + first * slopes[i] > first_value) |
               static_cast<uint8_t>(scores[i] + second * slopes[i] > second_value);
}

// For each set of lanes, one bit per lane: the lanes in it, ascending.
constexpr auto kLanesOf = [] {
  std::array<std::array<int32_t, kWide>, 1 << kWide> lanes{};
  for (uint32_t set = 0; set < lanes.size(); ++set)
    for (int32_t lane = 0, count = 0; lane < kWide; ++lane)
      if (set >> lane & 1) lanes[set][count++] = lane;
  return lanes;
}();

// Moves marked lines to the front, in their order, and returns their number. Without branches,
// because it is unpredictable which are marked.
DEMOTIC_INLINE int32_t keep_marked(Work& work) {
  int32_t kept = 0;
  for (int32_t i = 0; i < work.padded; i += kWide) {
    uint64_t marks;
    std::memcpy(&marks, work.marks + i, sizeof marks);
    const uint64_t set = marks * 0x0102040810204080u >> 56;  // bit k is byte k
    std::array<int32_t, kWide> places = kLanesOf[set];
    for (int32_t& place : places) place += i;
    std::ranges::copy(places, work.places + kept);
    kept += std::popcount(set);
  }
  for (int32_t i = 0; i < kept; ++i) {
    work.scores[i] = work.scores[work.places[i]];
    work.slopes[i] = work.slopes[work.places[i]];
  }
  return kept;
}

// Appends the breakpoints from `left` over `middle` to `right`.
DEMOTIC_INLINE void split(Work& work, int32_t left, int32_t middle, int32_t right) {
  work.waiting[0] = {0.0, right, middle};
  for (int32_t waiting = 1; waiting > 0;) {
    const Gap gap = work.waiting[--waiting];
    if (gap.top >= 0) {
      gaps_around(work, left, gap.top, gap.right, work.waiting + waiting);
      waiting += 2;
      continue;
    }
    work.breaks[work.found++] = gap.at;
    work.lines[work.found] = work.places[gap.right];
    left = gap.right;
  }
}

// The envelope of the lines above the crossings of the first three, and of these.
DEMOTIC_INLINE void split_both(Work& work, int32_t left, int32_t top, int32_t right) {
  const double first = crossing(work, left, top), second = crossing(work, top, right);
  mark_above(work, top, first, second);
  const int32_t three[3] = {left, top, right};
  double scores[3], slopes[3];
  for (int i = 0; i < 3; ++i) scores[i] = work.scores[three[i]], slopes[i] = work.slopes[three[i]];
  const int32_t kept = keep_marked(work);
  if (kept == 0) {
    work.breaks[0] = first, work.breaks[1] = second;
    work.lines[1] = top, work.lines[2] = right;
    work.found = 2;
    return;
  }
  for (int i = 0; i < 3; ++i) {
    work.scores[kept + i] = scores[i], work.slopes[kept + i] = slopes[i];
    work.places[kept + i] = three[i];
  }
  pad(work, kept + 3);
  split(work, kept, kept + 1, kept + 2);
}

template <typename Slope>
DEMOTIC_INLINE int32_t envelope(const double* scores, const Slope* slopes, int32_t count,
                                const ValueRange& range, Work work) {
  const auto [left, right] = outermost(scores, slopes, count, range, work);
  work.lines[0] = left;
  if (!(range.lowest < range.highest)) return 0;
  const Gap gap = gap_between(work, left, right);
  if (gap.top >= 0) {
    split_both(work, left, gap.top, right);
  } else {
    work.breaks[work.found++] = gap.at;
    work.lines[work.found] = right;
  }
  return work.found;
}

template <typename Value>
DEMOTIC_INLINE ValueRange range_in(const Value* values, int32_t count) {
  Doubles low = Doubles{} + static_cast<double>(values[0]), high = low;
  int32_t i = 0;
  for (; i + kWide <= count; i += kWide) {
    const Doubles value = load(values + i);
    low = choose(value < low, value, low);
    high = choose(value > high, value, high);
  }
  ValueRange range{-spread_highest(-low)[0], spread_highest(high)[0]};
  for (; i < count; ++i) {
    const auto value = static_cast<double>(values[i]);
    range = {std::min(range.lowest, value), std::max(range.highest, value)};
  }
  return range;
}

DEMOTIC_CLONES
ValueRange range_of_column(const float* values, int32_t count) { return range_in(values, count); }

// Returns the number of breakpoints. One function for all of it: lists are short.
DEMOTIC_CLONES
int32_t envelope_of_column(const double* scores, const float* slopes, int32_t count,
                           const ValueRange& range, const Work& work) {
  return envelope(scores, slopes, count, range, work);
}

DEMOTIC_CLONES
int32_t envelope_of_slopes(const double* scores, int32_t count, const Work& work) {
  return envelope(scores, work.slopes, count, range_in(work.slopes, count), work);
}

}  // namespace

ValueRange range_of(std::span<const float> values) {
  return range_of_column(values.data(), static_cast<int32_t>(values.size()));
}

ListEnvelope::ListEnvelope(int32_t longest)
    : scores_(longest + kPadding),
      slopes_(longest + kPadding),
      breaks_(longest + kPadding),
      places_(longest + kPadding),
      lines_(longest + kPadding),
      marks_(longest + kPadding),
      waiting_(longest + kPadding) {}

EnvelopeWork ListEnvelope::work() {
  return {scores_.data(),  slopes_.data(), places_.data(), marks_.data(),
          waiting_.data(), lines_.data(),  breaks_.data()};
}

void ListEnvelope::find(const double* scores, const float* slopes, int32_t count,
                        const ValueRange& range) {
  found_ = envelope_of_column(scores, slopes, count, range, work());
}

void ListEnvelope::find(const double* scores, int32_t count) {
  found_ = envelope_of_slopes(scores, count, work());
}

}  // namespace demotic::learn
