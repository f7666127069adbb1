// Eight numbers processed together, in as many registers as the machine needs. All operations act
// on each lane by itself, so results depend neither on the vector width nor on the compiler.
#pragma once

#include <cstdint>
#include <functional>

#include "demotic/base/clones.h"
#include "demotic/base/portable.h"
#include "demotic/namespaces.h"

namespace demotic::base {

inline constexpr int32_t kLanes = 8;

// Rows of a grid are zero-padded to whole lanes, so that loops over them have no remainder.
inline constexpr int32_t padded(int32_t length) { return (length + kLanes - 1) / kLanes * kLanes; }

#if DEMOTIC_GNU
#define DEMOTIC_LANES_OF(T, ALIGNMENT) \
  __attribute__((vector_size(kLanes * sizeof(T)), aligned(ALIGNMENT), may_alias))
// Each compiler ignores the alignment in the other's form, and takes any address for one of 64
// bytes: clang always, GCC where the type is the argument of a template.
#ifdef __clang__
#define DEMOTIC_LANES(NAME, T, ALIGNMENT) typedef T NAME DEMOTIC_LANES_OF(T, ALIGNMENT)
#else
#define DEMOTIC_LANES(NAME, T, ALIGNMENT) using NAME = T DEMOTIC_LANES_OF(T, ALIGNMENT)
#endif
#else
#define DEMOTIC_LANES(NAME, T, ALIGNMENT) using NAME = LaneArray<T>

template <typename T>
struct LaneArray {
  using Lane = T;
  T lanes[kLanes];

  T& operator[](int32_t i) { return lanes[i]; }
  const T& operator[](int32_t i) const { return lanes[i]; }
};

template <typename Operand>
concept HasLanes = requires { typename Operand::Lane; };

// A number is the same in every lane.
template <typename T, typename Operand>
DEMOTIC_INLINE T lane_of(const Operand& operand, int32_t i) {
  if constexpr (HasLanes<Operand>)
    return operand[i];
  else
    return static_cast<T>(operand);
}

template <typename T, typename A, typename B, typename Operation>
DEMOTIC_INLINE auto each_lane(const A& a, const B& b, Operation operation) {
  LaneArray<decltype(operation(T{}, T{}))> out;
  for (int32_t i = 0; i < kLanes; ++i) out[i] = operation(lane_of<T>(a, i), lane_of<T>(b, i));
  return out;
}

template <typename T, typename B>
DEMOTIC_INLINE LaneArray<T> operator+(const LaneArray<T>& a, const B& b) {
  return each_lane<T>(a, b, std::plus<T>());
}
template <typename T, typename B>
DEMOTIC_INLINE LaneArray<T> operator-(const LaneArray<T>& a, const B& b) {
  return each_lane<T>(a, b, std::minus<T>());
}
template <typename T, typename B>
DEMOTIC_INLINE LaneArray<T> operator*(const LaneArray<T>& a, const B& b) {
  return each_lane<T>(a, b, std::multiplies<T>());
}
template <typename T>
DEMOTIC_INLINE LaneArray<T> operator*(T a, const LaneArray<T>& b) {
  return b * a;
}
template <typename T>
DEMOTIC_INLINE LaneArray<T> operator-(const LaneArray<T>& a) {
  return a * T{-1};
}
template <typename T, typename B>
DEMOTIC_INLINE LaneArray<T>& operator+=(LaneArray<T>& a, const B& b) {
  return a = a + b;
}
template <typename T, typename B>
DEMOTIC_INLINE LaneArray<T>& operator*=(LaneArray<T>& a, const B& b) {
  return a = a * b;
}
template <typename T, typename B>
DEMOTIC_INLINE LaneArray<bool> operator<(const LaneArray<T>& a, const B& b) {
  return each_lane<T>(a, b, std::less<T>());
}
template <typename T, typename B>
DEMOTIC_INLINE LaneArray<bool> operator>(const LaneArray<T>& a, const B& b) {
  return each_lane<T>(a, b, std::greater<T>());
}
template <typename T, typename B>
DEMOTIC_INLINE LaneArray<bool> operator==(const LaneArray<T>& a, const B& b) {
  return each_lane<T>(a, b, std::equal_to<T>());
}

#endif

DEMOTIC_LANES(Floats, float, 4);
DEMOTIC_LANES(Doubles, double, 8);
DEMOTIC_LANES(Counts, int32_t, 4);
DEMOTIC_LANES(Integers, int64_t, 64);

#if DEMOTIC_GNU

// In clang by value: the type of a template parameter has lost the alignment of the argument's
// type.
#ifdef __clang__
#define DEMOTIC_WIDE(T) T
#else
#define DEMOTIC_WIDE(T) const T&
#endif

// Lane by lane: yes where the mask is set, else no.
template <typename Mask, typename Wide>
DEMOTIC_INLINE Wide choose(DEMOTIC_WIDE(Mask) mask, DEMOTIC_WIDE(Wide) yes, DEMOTIC_WIDE(Wide) no) {
  return mask ? yes : no;
}

template <typename Wide>
DEMOTIC_INLINE Doubles to_doubles(DEMOTIC_WIDE(Wide) values) {
  return __builtin_convertvector(values, Doubles);
}

// Exchanges neighbours at distance 4, 2 or 1, for the steps of a reduction.
template <int kDistance, typename Wide>
DEMOTIC_INLINE Wide swapped(DEMOTIC_WIDE(Wide) v) {
  constexpr int d = kDistance;
  return __builtin_shufflevector(v, v, 0 ^ d, 1 ^ d, 2 ^ d, 3 ^ d, 4 ^ d, 5 ^ d, 6 ^ d, 7 ^ d);
}

#else

template <typename T>
DEMOTIC_INLINE LaneArray<T> choose(const LaneArray<bool>& mask, const LaneArray<T>& yes,
                                   const LaneArray<T>& no) {
  LaneArray<T> out;
  for (int32_t i = 0; i < kLanes; ++i) out[i] = mask[i] ? yes[i] : no[i];
  return out;
}

template <typename T>
DEMOTIC_INLINE Doubles to_doubles(const LaneArray<T>& values) {
  Doubles out;
  for (int32_t i = 0; i < kLanes; ++i) out[i] = static_cast<double>(values[i]);
  return out;
}

template <int kDistance, typename T>
DEMOTIC_INLINE LaneArray<T> swapped(const LaneArray<T>& v) {
  LaneArray<T> out;
  for (int32_t i = 0; i < kLanes; ++i) out[i] = v[i ^ kDistance];
  return out;
}

#endif

DEMOTIC_INLINE Floats& lanes_at(float* values) { return *reinterpret_cast<Floats*>(values); }
DEMOTIC_INLINE const Floats& lanes_at(const float* values) {
  return *reinterpret_cast<const Floats*>(values);
}

// Pairwise sum of the lanes, in the same order everywhere.
DEMOTIC_INLINE float sum_lanes(const Floats& lanes) {
  const float even = (lanes[0] + lanes[4]) + (lanes[2] + lanes[6]);
  const float odd = (lanes[1] + lanes[5]) + (lanes[3] + lanes[7]);
  return even + odd;
}

}  // namespace demotic::base
