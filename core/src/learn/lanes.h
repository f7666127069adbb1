// Scans of the learners over eight numbers at a time.
#pragma once

#include <cstdint>
#include <limits>

#include "demotic/base/lanes.h"
#include "demotic/namespaces.h"

namespace demotic::learn {

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();
inline constexpr int32_t kWide = kLanes;
DEMOTIC_INLINE Doubles load(const double* values) {
  return *reinterpret_cast<const Doubles*>(values);
}
DEMOTIC_INLINE Doubles load(const float* values) {
  return to_doubles(*reinterpret_cast<const Floats*>(values));
}
DEMOTIC_INLINE Doubles load(const int32_t* values) {
  return to_doubles(*reinterpret_cast<const Counts*>(values));
}
DEMOTIC_INLINE void store(const Doubles& values, double* out) {
  *reinterpret_cast<Doubles*>(out) = values;
}

DEMOTIC_INLINE Doubles higher(const Doubles& a, const Doubles& b) { return choose(b > a, b, a); }
DEMOTIC_INLINE Integers lower(const Integers& a, const Integers& b) { return choose(b < a, b, a); }

// The highest value in every lane.
DEMOTIC_INLINE Doubles spread_highest(const Doubles& values) {
  Doubles best = higher(values, swapped<4>(values));
  best = higher(best, swapped<2>(best));
  return higher(best, swapped<1>(best));
}

struct Highest {
  int32_t index;
  double value;
};

// Each lane holds its first maximum, so the smallest position among the maximal lanes is the first.
// Without branches, because it is unpredictable which lane wins.
DEMOTIC_INLINE Highest first_highest(const Doubles& values, const Integers& places) {
  const Doubles best = spread_highest(values);
  Integers first = choose(values == best, places, Integers{} + std::numeric_limits<int64_t>::max());
  first = lower(first, swapped<4>(first));
  first = lower(first, swapped<2>(first));
  first = lower(first, swapped<1>(first));
  return {static_cast<int32_t>(first[0]), best[0]};
}

// The first maximum per lane of values that are added vector by vector. Starts at -infinity, so
// that values that are not numbers never win.
struct RunningHighest {
  Doubles values = Doubles{} - kInfinity;
  Integers places{0, 1, 2, 3, 4, 5, 6, 7};

  DEMOTIC_INLINE void add(const Doubles& more, const Integers& at) {
    const auto is_higher = more > values;
    values = choose(is_higher, more, values);
    places = choose(is_higher, at, places);
  }
  DEMOTIC_INLINE Highest first() const { return first_highest(values, places); }
};

// Calls visit(first, positions) for vectors that cover all of at least kWide elements. The last one
// may overlap the one before: elements seen twice do not change which maximum comes first.
template <typename Visit>
DEMOTIC_INLINE void visit_vectors(int32_t count, Visit&& visit) {
  Integers place{0, 1, 2, 3, 4, 5, 6, 7};
  int32_t i = 0;
  for (; i + kWide <= count; i += kWide, place += kWide) visit(i, place);
  if (i < count) visit(count - kWide, place - (i + kWide - count));
}

}  // namespace demotic::learn
