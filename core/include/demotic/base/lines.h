// Splits bytes into lines of text, by one set of rules for every reader (docs/formats.md, "Text"):
//
//   only '\n' ends a line; a last line without it counts; CR before it is dropped
//   U+FEFF at the start of a line is dropped
//   control characters (C0, DEL, C1) become spaces, so tokens never contain one; tabs are kept if
//     the format needs them
//   other Unicode white space (NBSP, U+200B, U+2028, U+3000, ...) is kept: it is part of a word in
//     tokenised text, as in every toolkit that splits on ASCII spaces, so word positions agree
//   malformed UTF-8 is refused with line and byte, or replaced by U+FFFD (one for each maximal
//     ill-formed part), or the line becomes empty ("skip"), which keeps line numbers valid
//
// Repairs are counted, so that the caller can report them once. Bytes arrive in chunks of any size
// (decompression happens outside); the result does not depend on chunk boundaries.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "demotic/namespaces.h"

namespace demotic::base {

enum class EncodingErrors { kRefuse, kReplace, kSkip };

// Lines as one flat string; line i is bytes[offsets[i] .. offsets[i+1]), without its '\n'.
struct Lines {
  std::string bytes;
  std::vector<int64_t> offsets{0};

  size_t size() const noexcept { return offsets.size() - 1; }
  std::string_view operator[](size_t i) const noexcept {
    return std::string_view(bytes).substr(offsets[i], offsets[i + 1] - offsets[i]);
  }
  void append(std::string_view line) {
    bytes.append(line);
    offsets.push_back(static_cast<int64_t>(bytes.size()));
  }
};

// Numbers of lines repaired, by kind of repair.
struct LineNotices {
  int64_t byte_order_marks = 0;
  int64_t carriage_returns = 0;
  int64_t controls = 0;  // control characters replaced by spaces
  int64_t replaced = 0;  // malformed UTF-8 replaced
  int64_t skipped = 0;   // malformed UTF-8, line emptied

  LineNotices operator+(const LineNotices& other) const noexcept {
    return {byte_order_marks + other.byte_order_marks, carriage_returns + other.carriage_returns,
            controls + other.controls, replaced + other.replaced, skipped + other.skipped};
  }
};

struct LineOptions {
  EncodingErrors encoding_errors = EncodingErrors::kRefuse;
  bool keep_tabs = false;
};

// No sentence is this long; bounds the memory for a file without line ends.
inline constexpr size_t kMaxLineBytes = size_t{1} << 24;

class LineParser {
 public:
  // `name` identifies the file in messages.
  LineParser(std::string name, LineOptions options);

  // Both throw FormatError. After `finish` nothing may be fed.
  void feed(std::string_view chunk);
  void finish();

  // The lines completed since the last call.
  Lines take();

  const LineNotices& notices() const noexcept { return notices_; }
  int64_t lines_seen() const noexcept { return line_; }

 private:
  void end_line(std::string_view line);
  void clean_into(std::string_view line);

  std::string name_;
  LineOptions options_;
  LineNotices notices_;
  Lines done_;
  std::string pending_;  // the beginning of an incomplete line
  int64_t line_ = 0;     // lines completed so far
};

}  // namespace demotic::base
