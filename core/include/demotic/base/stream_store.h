// Writes lines of the cache past it: for what is written once and read much later, when the cache
// would have lost it anyway. A line that is written whole need not be fetched before.
#pragma once

#include <cstddef>
#include <cstring>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "demotic/namespaces.h"

namespace demotic::base {

inline constexpr size_t kLineBytes = 64;

// `to` is aligned to kLineBytes.
inline void stream_line(void* to, const void* from) noexcept {
#if defined(__SSE2__)
  auto* out = static_cast<__m128i*>(to);
  const auto* in = static_cast<const __m128i*>(from);
  for (size_t i = 0; i < kLineBytes / sizeof(__m128i); ++i)
    _mm_stream_si128(out + i, _mm_loadu_si128(in + i));
#else
  std::memcpy(to, from, kLineBytes);
#endif
}

// Lines streamed before it are there for every thread that this one hands them to afterwards.
inline void finish_streams() noexcept {
#if defined(__SSE2__)
  _mm_sfence();
#endif
}

}  // namespace demotic::base
