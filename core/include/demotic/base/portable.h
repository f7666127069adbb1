// What GCC and clang offer beyond standard C++, with a replacement for other compilers. Defining
// DEMOTIC_PORTABLE selects the replacements everywhere, so that they can be tested.
#pragma once

#include <cstdint>

#if defined(__GNUC__) && !defined(DEMOTIC_PORTABLE)
#define DEMOTIC_GNU 1
#else
#define DEMOTIC_GNU 0
#endif

#include "demotic/namespaces.h"

namespace demotic::base {

// Asks for the cache line of an address before it is read; it may be any address. kLocality: 3 for
// all caches, 2 for all but the smallest.
template <int kLocality = 3>
void prefetch_line([[maybe_unused]] const void* address) noexcept {
#if DEMOTIC_GNU
  __builtin_prefetch(address, 0, kLocality);
#endif
}

inline void prefetch_for_writing([[maybe_unused]] const void* address) noexcept {
#if DEMOTIC_GNU
  __builtin_prefetch(address, 1);
#endif
}

// The upper 64 bits of the product of two numbers of 64 bits.
inline uint64_t multiply_high(uint64_t a, uint64_t b) noexcept {
#if DEMOTIC_GNU
  return static_cast<uint64_t>(static_cast<unsigned __int128>(a) * b >> 64);
#else
  const uint64_t a_low = a & 0xffffffff, a_high = a >> 32;
  const uint64_t b_low = b & 0xffffffff, b_high = b >> 32;
  const uint64_t first = a_high * b_low + (a_low * b_low >> 32);
  const uint64_t second = a_low * b_high + (first & 0xffffffff);
  return a_high * b_high + (first >> 32) + (second >> 32);
#endif
}

// The smallest x with x * divisor >= value * 2^bits, modulo 2^64; bits is at most 64.
inline uint64_t divide_scaled_up(uint64_t value, uint32_t bits, uint64_t divisor) noexcept {
#if DEMOTIC_GNU
  const auto scaled = static_cast<unsigned __int128>(value) << bits;
  return static_cast<uint64_t>((scaled + divisor - 1) / divisor);
#else
  uint64_t quotient = value / divisor, rest = value % divisor;
  for (uint32_t i = 0; i < bits; ++i) {
    const bool carries = rest >> 63;
    rest <<= 1;
    const bool fits = carries || rest >= divisor;
    if (fits) rest -= divisor;
    quotient = quotient << 1 | uint64_t{fits};
  }
  return quotient + (rest > 0);
#endif
}

}  // namespace demotic::base
