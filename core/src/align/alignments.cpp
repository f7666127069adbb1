#include "demotic/align/alignments.h"

#include <algorithm>
#include <charconv>

#include "demotic/base/errors.h"

namespace demotic::align {
namespace {

// Reads "source-target" at the start of `text` and removes it; false for anything else.
bool parse_link(std::string_view& text, Link& link) {
  const char* end = text.data() + text.size();
  const auto [dash, source_error] = std::from_chars(text.data(), end, link.source);
  if (source_error != std::errc() || dash == end || *dash != '-') return false;
  const auto [rest, target_error] = std::from_chars(dash + 1, end, link.target);
  if (target_error != std::errc() || link.source < 0 || link.target < 0) return false;
  if (rest != end && *rest != ' ') return false;
  text.remove_prefix(rest - text.data());
  return true;
}

}  // namespace

Alignments parse_links(const Lines& lines, const std::string& name) {
  Alignments result;
  for (size_t i = 0; i < lines.size(); ++i) {
    const size_t begin = result.values.size();
    std::string_view text = lines[i];
    for (;;) {
      text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
      if (text.empty()) break;
      const std::string found(text.substr(0, text.find(' ')));
      if (!parse_link(text, result.values.emplace_back())) {
        throw FormatError({.path = name,
                           .line = static_cast<int64_t>(i) + 1,
                           .found = "'" + found + "'",
                           .expected = "links like 0-0 1-2",
                           .advice = "positions count from 0, source first"});
      }
    }
    const auto row = result.values.begin() + static_cast<std::ptrdiff_t>(begin);
    std::sort(row, result.values.end());
    result.values.erase(std::unique(row, result.values.end()), result.values.end());
    result.end_row();
  }
  return result;
}

Lines format_links(const Alignments& alignments) {
  Lines lines;
  for (size_t i = 0; i < alignments.size(); ++i) {
    bool first = true;
    for (const Link link : alignments[i]) {
      if (!std::exchange(first, false)) lines.bytes.push_back(' ');
      lines.bytes += std::to_string(link.source) + '-' + std::to_string(link.target);
    }
    lines.append({});
  }
  return lines;
}

}  // namespace demotic::align
