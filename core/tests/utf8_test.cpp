// utf8_front against a table made from the definition: a sequence is well-formed if and only if it
// encodes a code point, and the maximal part of any other is its longest prefix of such a sequence.
#include "demotic/base/utf8.h"

#include <string>
#include <vector>

#include "test.h"

namespace test = demotic::test;
using namespace demotic::all;

namespace {

// The definition of the encoding, from code point to bytes (Unicode 15, table 3-6).
std::string encode(int32_t code) {
  const auto trail = [&](int shift) { return static_cast<char>(0x80 | (code >> shift & 0x3F)); };
  if (code < 0x80) return {static_cast<char>(code)};
  if (code < 0x800) return {static_cast<char>(0xC0 | code >> 6), trail(0)};
  if (code < 0x10000) return {static_cast<char>(0xE0 | code >> 12), trail(6), trail(0)};
  return {static_cast<char>(0xF0 | code >> 18), trail(12), trail(6), trail(0)};
}

bool is_scalar(int32_t code) { return code < 0xD800 || code > 0xDFFF; }

uint32_t number(std::string_view bytes) {
  uint32_t value = 0;
  for (char byte : bytes) value = value << 8 | static_cast<uint8_t>(byte);
  return value;
}

// Classifies every string of up to three bytes: a character, the beginning of one, or neither.
struct Table {
  std::vector<int32_t> code[4];    // by number of bytes, then by their value; -1 if none
  std::vector<bool> beginning[4];  // whether it is a prefix of a longer character

  Table() {
    for (int n = 1; n <= 3; ++n) {
      code[n].assign(size_t{1} << 8 * n, -1);
      beginning[n].assign(size_t{1} << 8 * n, false);
    }
    for (int32_t point = 0; point <= 0x10FFFF; ++point) {
      if (!is_scalar(point)) continue;
      const std::string bytes = encode(point);
      if (bytes.size() <= 3) code[bytes.size()][number(bytes)] = point;
      for (size_t n = 1; n < bytes.size(); ++n) beginning[n][number(bytes.substr(0, n))] = true;
    }
  }

  Utf8Char front(std::string_view text) const {
    int32_t part = 1;
    for (size_t n = 1; n <= text.size(); ++n) {
      const uint32_t value = number(text.substr(0, n));
      if (code[n][value] >= 0) return {code[n][value], static_cast<int32_t>(n)};
      if (!beginning[n][value]) break;
      part = static_cast<int32_t>(n);
    }
    return {-1, part};
  }
};

const Table& table() {
  static const Table made;
  return made;
}

void check_as_table(std::string_view text) {
  const Utf8Char expected = table().front(text), found = utf8_front(text);
  CHECK_EQ(found.code, expected.code);
  CHECK_EQ(found.size, expected.size);
}

}  // namespace

TEST_CASE("every code point is read back, alone and with more behind it") {
  for (int32_t code = 0; code <= 0x10FFFF; ++code) {
    if (!is_scalar(code)) continue;
    const std::string bytes = encode(code);
    const Utf8Char alone = utf8_front(bytes), followed = utf8_front(bytes + "\x80");
    CHECK_EQ(alone.code, code);
    CHECK_EQ(alone.size, bytes.size());
    CHECK_EQ(followed.code, code);
    CHECK_EQ(followed.size, bytes.size());
  }
}

TEST_CASE("all strings of one, two and three bytes") {
  char text[3];
  for (int a = 0; a < 256; ++a) {
    text[0] = static_cast<char>(a);
    check_as_table({text, 1});
    for (int b = 0; b < 256; ++b) {
      text[1] = static_cast<char>(b);
      check_as_table({text, 2});
      for (int c = 0; c < 256; ++c) {
        text[2] = static_cast<char>(c);
        check_as_table({text, 3});
      }
    }
  }
}

TEST_CASE("every prefix of a four-byte character with every fourth byte") {
  for (uint32_t three = 0xF00000; three <= 0xF4FFFF; ++three) {
    if (!table().beginning[3][three]) continue;
    char text[4] = {static_cast<char>(three >> 16), static_cast<char>(three >> 8),
                    static_cast<char>(three)};
    for (int last = 0; last < 256; ++last) {
      text[3] = static_cast<char>(last);
      const bool good = last >= 0x80 && last <= 0xBF;
      const Utf8Char found = utf8_front({text, 4});
      CHECK_EQ(found.size, good ? 4 : 3);
      CHECK_EQ(found.code >= 0, good);
    }
  }
}

TEST_CASE("a prefix never splits a character and is the longest that fits") {
  const std::string text = "a\xC3\xA4\xE4\xB8\xAD\xF0\x9F\x98\x80z";
  const std::vector<size_t> ends = {0, 1, 3, 6, 10, 11};
  for (size_t bytes = 0; bytes <= text.size() + 2; ++bytes) {
    size_t expected = 0;
    for (size_t end : ends)
      if (end <= bytes) expected = end;
    CHECK_EQ(utf8_prefix(text, bytes).size(), expected);
  }
}
