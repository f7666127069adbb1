#include "demotic/base/lines.h"

#include <algorithm>
#include <cstdio>
#include <utility>

#include "demotic/base/errors.h"
#include "demotic/base/utf8.h"

namespace demotic::base {
namespace {

bool becomes_space(int32_t code) noexcept { return code < 0x20 || (code >= 0x7F && code <= 0x9F); }

bool plain(std::string_view line) noexcept {
  return std::all_of(line.begin(), line.end(), [](char c) { return c >= 0x20 && c < 0x7F; });
}

std::string hex(uint8_t byte) {
  char text[8];
  std::snprintf(text, sizeof text, "0x%02X", byte);
  return text;
}

// For the bytes at `position` of a line, from 1.
FormatError not_utf8(const std::string& name, int64_t line, std::string_view rest,
                     size_t position) {
  const bool first = line == 1 && position == 1;
  const bool utf16 = first && (rest.starts_with("\xFF\xFE") || rest.starts_with("\xFE\xFF"));
  return FormatError({.path = name,
                      .line = line,
                      .found = "byte " + hex(static_cast<uint8_t>(rest[0])) + " at position " +
                               std::to_string(position) + ", which is not UTF-8",
                      .expected = "UTF-8 text",
                      .advice = utf16 ? "it is UTF-16; convert it: iconv -f UTF-16 -t UTF-8 FILE"
                                      : "convert the file with iconv, or give --encoding-errors "
                                        "replace or skip"});
}

}  // namespace

LineParser::LineParser(std::string name, LineOptions options)
    : name_(std::move(name)), options_(options) {}

void LineParser::feed(std::string_view chunk) {
  while (!chunk.empty()) {
    const size_t end = chunk.find('\n');
    if (pending_.size() + std::min(end, chunk.size()) > kMaxLineBytes) {
      throw FormatError({.path = name_,
                         .line = line_ + 1,
                         .found = "a line of more than 16 MB",
                         .expected = "one sentence per line",
                         .advice = "check that the file is text and its lines end in \\n"});
    }
    if (end == std::string_view::npos) {
      pending_.append(chunk);
      return;
    }
    if (pending_.empty()) {
      end_line(chunk.substr(0, end));
    } else {
      pending_.append(chunk.substr(0, end));
      end_line(pending_);
      pending_.clear();
    }
    chunk.remove_prefix(end + 1);
  }
}

void LineParser::finish() {
  if (pending_.empty()) return;
  end_line(pending_);
  pending_.clear();
}

Lines LineParser::take() { return std::exchange(done_, Lines{}); }

void LineParser::end_line(std::string_view line) {
  ++line_;
  if (line.ends_with('\r')) {
    ++notices_.carriage_returns;
    while (line.ends_with('\r')) line.remove_suffix(1);
  }
  if (line.starts_with("\xEF\xBB\xBF")) {
    ++notices_.byte_order_marks;
    line.remove_prefix(3);
  }
  if (plain(line)) {
    done_.bytes.append(line);
  } else {
    clean_into(line);
  }
  done_.offsets.push_back(static_cast<int64_t>(done_.bytes.size()));
}

void LineParser::clean_into(std::string_view line) {
  const size_t start = done_.bytes.size();
  const size_t length = line.size();
  bool controls = false, replaced = false;
  while (!line.empty()) {
    const Utf8Char c = utf8_front(line);
    if (c.code >= 0 && !becomes_space(c.code)) {
      done_.bytes.append(line.substr(0, c.size));
    } else if (c.code >= 0) {
      const bool tab = c.code == '\t';
      done_.bytes.push_back(tab && options_.keep_tabs ? '\t' : ' ');
      controls |= !tab;
    } else if (options_.encoding_errors == EncodingErrors::kReplace) {
      done_.bytes.append("\xEF\xBF\xBD");
      replaced = true;
    } else if (options_.encoding_errors == EncodingErrors::kSkip) {
      done_.bytes.resize(start);
      ++notices_.skipped;
      return;
    } else {
      throw not_utf8(name_, line_, line, length - line.size() + 1);
    }
    line.remove_prefix(c.size);
  }
  notices_.controls += controls;
  notices_.replaced += replaced;
}

}  // namespace demotic::base
