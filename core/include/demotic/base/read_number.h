// Reads decimal numbers from text, as std::from_chars does; the standard library of clang (libc++),
// which macOS has, reads only integers.
#pragma once

#include <charconv>

#include "demotic/namespaces.h"

#if (defined(__cpp_lib_to_chars) || defined(_MSC_VER)) && !defined(DEMOTIC_PORTABLE)
#define DEMOTIC_FROM_CHARS 1
#else
#define DEMOTIC_FROM_CHARS 0
#endif

namespace demotic::base {

#if DEMOTIC_FROM_CHARS
template <typename Number>
std::from_chars_result read_number(const char* begin, const char* end, Number& value) noexcept {
  return std::from_chars(begin, end, value);
}
#else
std::from_chars_result read_number(const char* begin, const char* end, float& value);
std::from_chars_result read_number(const char* begin, const char* end, double& value);

template <typename Integer>
std::from_chars_result read_number(const char* begin, const char* end, Integer& value) noexcept {
  return std::from_chars(begin, end, value);
}
#endif

}  // namespace demotic::base
