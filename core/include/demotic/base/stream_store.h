// Writes cache lines that bypass the cache: for data that are written once and read much later,
// when they would have been evicted anyway. A line that is written whole need not be fetched first.
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

// Makes lines streamed before visible to every thread that is handed them afterwards.
inline void finish_streams() noexcept {
#if defined(__SSE2__)
  _mm_sfence();
#endif
}

}  // namespace demotic::base
