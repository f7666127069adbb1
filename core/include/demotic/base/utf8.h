// Strict UTF-8 (Unicode 15, table 3-7): no overlong forms, no surrogates, nothing past U+10FFFF.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "demotic/namespaces.h"

namespace demotic::base {

struct Utf8Char {
  int32_t code = 0;  // -1 if the bytes are ill-formed
  int32_t size = 0;  // bytes used; if ill-formed, the maximal part to be replaced as one
};

// The character at the start of `text`, which must not be empty.
inline Utf8Char utf8_front(std::string_view text) noexcept {
  const auto byte = [&](size_t i) { return static_cast<uint8_t>(text[i]); };
  const uint8_t lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  int32_t trail;                    // number of continuation bytes
  uint8_t low = 0x80, high = 0xBF;  // range of the first continuation byte
  if (lead >= 0xC2 && lead <= 0xDF) {
    trail = 1;
  } else if (lead >= 0xE0 && lead <= 0xEF) {
    trail = 2;
    if (lead == 0xE0) low = 0xA0;
    if (lead == 0xED) high = 0x9F;
  } else if (lead >= 0xF0 && lead <= 0xF4) {
    trail = 3;
    if (lead == 0xF0) low = 0x90;
    if (lead == 0xF4) high = 0x8F;
  } else {
    return {-1, 1};
  }
  int32_t code = lead & (0x3F >> trail);
  for (int32_t i = 1; i <= trail; ++i) {
    if (static_cast<size_t>(i) >= text.size() || byte(i) < low || byte(i) > high) return {-1, i};
    code = code << 6 | (byte(i) & 0x3F);
    low = 0x80;
    high = 0xBF;
  }
  return {code, trail + 1};
}

// The longest prefix of at most `bytes` bytes that does not split a character of well-formed
// `text`.
inline std::string_view utf8_prefix(std::string_view text, size_t bytes) noexcept {
  if (text.size() <= bytes) return text;
  while (bytes > 0 && (static_cast<uint8_t>(text[bytes]) & 0xC0) == 0x80) --bytes;
  return text.substr(0, bytes);
}

}  // namespace demotic::base
