#include "demotic/learn/list_envelope.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>

#include "demotic/learn/candidates.h"
#include "lanes.h"

namespace demotic::learn {
namespace {

constexpr int kPadding = 2 * kWide;  // a vector beyond the last, or three lines appended and padded
using Work = EnvelopeWork;
using Gap = EnvelopeWork::Gap;

// At least one vector of them.
template <typename Slope>
struct Lines {
  const double* scores;
  const Slope* slopes;
  int32_t count;

  DEMOTIC_INLINE double at(double step, int32_t i) const {
    return scores[i] + step * static_cast<double>(slopes[i]);
  }
};

// The first lines with the highest score at each of some steps. The hottest loop of MERT: two
// loads, and a multiplication, an addition and a comparison per line and step.
template <size_t kSteps, typename Slope>
DEMOTIC_INLINE std::array<Highest, kSteps> highest_at(const Lines<Slope>& lines,
                                                      const std::array<double, kSteps>& steps) {
  RunningHighest best[kSteps];
  visit_vectors(lines.count, [&](int32_t i, const Integers& place) {
    const Doubles scores = load(lines.scores + i), slopes = load(lines.slopes + i);
    for (size_t k = 0; k < kSteps; ++k) best[k].add(scores + steps[k] * slopes, place);
  });
  std::array<Highest, kSteps> found;
  for (size_t k = 0; k < kSteps; ++k) found[k] = best[k].first();
  return found;
}

// Lines in the scratch space, with some that are never highest to fill the last vector.
DEMOTIC_INLINE Lines<double> padded_lines(const Work& work, int32_t count) {
  store(Doubles{} - kInfinity, work.scores + count);
  store(Doubles{} + work.slopes[0], work.slopes + count);
  return {work.scores, work.slopes, padded(count)};
}

// The first of some lines with the highest score at step 0.
DEMOTIC_INLINE int32_t first_of(std::span<const int32_t> places, const double* scores) {
  int32_t best = places[0];
  for (const int32_t place : places) best = scores[place] > scores[best] ? place : best;
  return best;
}

template <typename Slope>
DEMOTIC_INLINE double crossing(const Lines<Slope>& lines, int32_t left, int32_t right) {
  return (lines.scores[left] - lines.scores[right]) /
         (static_cast<double>(lines.slopes[right]) - static_cast<double>(lines.slopes[left]));
}

// The first line that is highest where two lines of the envelope cross, or -1 if those two are.
template <typename Slope>
DEMOTIC_INLINE int32_t above_crossing(const Lines<Slope>& lines, int32_t left, int32_t right,
                                      double at, const Highest& top) {
  const double reached = std::max(lines.at(at, left), lines.at(at, right));
  const Slope slope = lines.slopes[top.index];
  // Strictly between, so that rounding does not duplicate a line.
  const bool between = (lines.slopes[left] < slope) & (slope < lines.slopes[right]);
  return (std::isfinite(at) & (top.value > reached) & between) ? top.index : -1;
}

template <typename Slope>
DEMOTIC_INLINE Gap gap_between(const Lines<Slope>& lines, int32_t left, int32_t right) {
  const double at = crossing(lines, left, right);
  const auto [top] = highest_at<1>(lines, {at});
  return {at, right, above_crossing(lines, left, right, at, top)};
}

// Writes the gaps on both sides of a line, the left one last. One scan: the latencies overlap.
DEMOTIC_INLINE void gaps_around(const Lines<double>& lines, int32_t left, int32_t middle,
                                int32_t right, Gap* out) {
  const double first = crossing(lines, left, middle), second = crossing(lines, middle, right);
  const auto tops = highest_at<2>(lines, {first, second});
  out[0].at = second, out[0].right = right;
  out[0].top = above_crossing(lines, middle, right, second, tops[1]);
  out[1].at = first, out[1].right = middle;
  out[1].top = above_crossing(lines, left, middle, first, tops[0]);
}

// Marks lines that lie above either of two points of the line `top`.
template <typename Slope>
DEMOTIC_INLINE void mark_above(const Lines<Slope>& lines, int32_t top, double first, double second,
                               uint8_t* marks) {
  const double first_value = lines.at(first, top), second_value = lines.at(second, top);
  for (int32_t i = 0; i < lines.count; ++i)
    marks[i] = static_cast<uint8_t>(lines.at(first, i) > first_value) |
               static_cast<uint8_t>(lines.at(second, i) > second_value);
  std::memset(marks + lines.count, 0, kWide);
}

// For each set of lanes, one bit per lane: the lanes in it, ascending.
constexpr auto kLanesOf = [] {
  std::array<std::array<int32_t, kWide>, 1 << kWide> lanes{};
  for (uint32_t set = 0; set < lanes.size(); ++set)
    for (int32_t lane = 0, count = 0; lane < kWide; ++lane)
      if (set >> lane & 1) lanes[set][count++] = lane;
  return lanes;
}();

// Copies marked lines into the scratch space, in their order, and returns their number. Without
// branches, because it is unpredictable which are marked.
template <typename Slope>
DEMOTIC_INLINE int32_t keep_marked(const Lines<Slope>& lines, Work& work) {
  int32_t kept = 0;
  for (int32_t i = 0; i < lines.count; i += kWide) {
    uint64_t marks;
    std::memcpy(&marks, work.marks + i, sizeof marks);
    const uint64_t set = marks * 0x0102040810204080u >> 56;  // bit k is byte k
    std::array<int32_t, kWide> places = kLanesOf[set];
    for (int32_t& place : places) place += i;
    std::ranges::copy(places, work.places + kept);
    kept += std::popcount(set);
  }
  for (int32_t i = 0; i < kept; ++i) {
    work.scores[i] = lines.scores[work.places[i]];
    work.slopes[i] = static_cast<double>(lines.slopes[work.places[i]]);
  }
  return kept;
}

// Appends the breakpoints from `left` over `middle` to `right`.
DEMOTIC_INLINE void split(const Lines<double>& lines, Work& work, int32_t left, int32_t middle,
                          int32_t right) {
  work.waiting[0] = {0.0, right, middle};
  for (int32_t waiting = 1; waiting > 0;) {
    const Gap gap = work.waiting[--waiting];
    if (gap.top >= 0) {
      gaps_around(lines, left, gap.top, gap.right, work.waiting + waiting);
      waiting += 2;
      continue;
    }
    work.breaks[work.found++] = gap.at;
    work.lines[work.found] = work.places[gap.right];
    left = gap.right;
  }
}

// The envelope of the lines above the crossings of the first three, and of these.
template <typename Slope>
DEMOTIC_INLINE void split_both(const Lines<Slope>& lines, Work& work, int32_t left, int32_t top,
                               int32_t right) {
  const double first = crossing(lines, left, top), second = crossing(lines, top, right);
  mark_above(lines, top, first, second, work.marks);
  const int32_t three[3] = {left, top, right};
  double scores[3], slopes[3];  // the lines may be those of the scratch space
  for (int i = 0; i < 3; ++i)
    scores[i] = lines.scores[three[i]], slopes[i] = static_cast<double>(lines.slopes[three[i]]);
  const int32_t kept = keep_marked(lines, work);
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
  split(padded_lines(work, kept + 3), work, kept, kept + 1, kept + 2);
}

// Returns the number of breakpoints.
template <typename Slope>
DEMOTIC_INLINE int32_t envelope(const Lines<Slope>& lines, int32_t left, int32_t right, Work work) {
  work.lines[0] = left;
  if (!(lines.slopes[left] < lines.slopes[right])) return 0;
  const Gap gap = gap_between(lines, left, right);
  if (gap.top >= 0) {
    split_both(lines, work, left, gap.top, right);
  } else {
    work.breaks[work.found++] = gap.at;
    work.lines[work.found] = right;
  }
  return work.found;
}

// One function for all of it: lists are short.
DEMOTIC_CLONES
int32_t envelope_of_column(const double* scores, const float* slopes, int32_t count,
                           const Outermost& outermost, const Work& work) {
  if (outermost.left.empty()) {
    work.lines[0] = highest_of(scores, count);
    return 0;
  }
  const int32_t left = first_of(outermost.left, scores), right = first_of(outermost.right, scores);
  if (count >= kWide) return envelope(Lines<float>{scores, slopes, count}, left, right, work);
  for (int32_t i = 0; i < count; ++i)
    work.scores[i] = scores[i], work.slopes[i] = static_cast<double>(slopes[i]);
  return envelope(padded_lines(work, count), left, right, work);
}

struct Ends {
  int32_t left, right;
};

// The first of the lines that are highest at minus infinity and at infinity.
DEMOTIC_INLINE Ends ends_of(const Lines<double>& lines) {
  RunningHighest falling, rising;
  visit_vectors(lines.count, [&](int32_t i, const Integers& place) {
    const Doubles slopes = load(lines.slopes + i);
    falling.add(-slopes, place);
    rising.add(slopes, place);
  });
  const double lowest = lines.slopes[falling.first().index];
  const double highest = lines.slopes[rising.first().index];
  const Doubles none = Doubles{} - kInfinity;
  RunningHighest left, right;
  visit_vectors(lines.count, [&](int32_t i, const Integers& place) {
    const Doubles slopes = load(lines.slopes + i), scores = load(lines.scores + i);
    left.add(choose(slopes == lowest, scores, none), place);
    right.add(choose(slopes == highest, scores, none), place);
  });
  return {left.first().index, right.first().index};
}

// The slopes are in the scratch space.
DEMOTIC_CLONES
int32_t envelope_of_slopes(const double* scores, int32_t count, const Work& work) {
  Lines<double> lines{scores, work.slopes, count};
  if (count < kWide) {
    std::copy(scores, scores + count, work.scores);
    lines = padded_lines(work, count);
  }
  const auto [left, right] = ends_of(lines);
  return envelope(lines, left, right, work);
}

}  // namespace

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
                        const Outermost& outermost) {
  found_ = envelope_of_column(scores, slopes, count, outermost, work());
}

void ListEnvelope::find(const double* scores, int32_t count) {
  found_ = envelope_of_slopes(scores, count, work());
}

}  // namespace demotic::learn
