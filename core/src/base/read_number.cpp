#include "demotic/base/read_number.h"

#if !DEMOTIC_FROM_CHARS
#include <locale.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string>
#include <string_view>
#if defined(__APPLE__) || defined(__FreeBSD__)
#include <xlocale.h>
#endif

namespace demotic::base {
namespace {

bool is_decimal_digit(char c) noexcept { return c >= '0' && c <= '9'; }

const char* after_digits(const char* next, const char* end) noexcept {
  return std::find_if_not(next, end, is_decimal_digit);
}

// The end of the longest number at the beginning; `begin` if there is none.
const char* number_end(const char* begin, const char* end) noexcept {
  const char* next = begin != end && *begin == '-' ? begin + 1 : begin;
  const auto begins_with = [&](std::string_view word) {
    return static_cast<size_t>(end - next) >= word.size() &&
           std::equal(word.begin(), word.end(), next, [](char a, char b) { return a == (b | 32); });
  };
  for (const std::string_view word : {"infinity", "inf", "nan"})
    if (begins_with(word)) return next + word.size();
  const char* const whole = after_digits(next, end);
  const bool point = whole != end && *whole == '.';
  const char* const digits = point ? after_digits(whole + 1, end) : whole;
  if (digits - next == (point ? 1 : 0)) return begin;
  if (digits == end || (*digits | 32) != 'e') return digits;
  const char* exponent = digits + 1;
  if (exponent != end && (*exponent == '-' || *exponent == '+')) ++exponent;
  const char* const last = after_digits(exponent, end);
  return last == exponent ? digits : last;
}

// The decimal point of the program's own locale may be a comma.
#ifdef _WIN32
_locale_t decimal_point() {
  static const _locale_t one = _create_locale(LC_ALL, "C");
  return one;
}
void convert(const char* text, float& value) { value = _strtof_l(text, nullptr, decimal_point()); }
void convert(const char* text, double& value) { value = _strtod_l(text, nullptr, decimal_point()); }
#else
locale_t decimal_point() {
  static const locale_t one = newlocale(LC_ALL_MASK, "C", nullptr);
  return one;
}
void convert(const char* text, float& value) { value = strtof_l(text, nullptr, decimal_point()); }
void convert(const char* text, double& value) { value = strtod_l(text, nullptr, decimal_point()); }
#endif

template <typename Number>
std::from_chars_result read_decimal(const char* begin, const char* end, Number& value) {
  const char* const last = number_end(begin, end);
  if (last == begin) return {begin, std::errc::invalid_argument};
  const std::string text(begin, last);
  Number found = 0;
  convert(text.c_str(), found);
  // A nonzero digit before the exponent, but no value: too small; no end: too large.
  const auto significant = std::string_view(text).substr(0, text.find_first_of("eE"));
  const bool nonzero = significant.find_first_of("123456789") != significant.npos;
  if (nonzero && (found == 0 || std::isinf(found))) return {last, std::errc::result_out_of_range};
  value = found;
  return {last, std::errc()};
}

}  // namespace

std::from_chars_result read_number(const char* begin, const char* end, float& value) {
  return read_decimal(begin, end, value);
}

std::from_chars_result read_number(const char* begin, const char* end, double& value) {
  return read_decimal(begin, end, value);
}

}  // namespace demotic::base
#endif
