#include "demotic/align/pair_lines.h"

#include <algorithm>

#include "demotic/base/errors.h"

namespace demotic::align {
namespace {

constexpr std::string_view kSeparator = "|||";

// The start of the next separator that is a word by itself, or npos.
size_t find_separator(std::string_view line, size_t from) {
  for (size_t at = from; (at = line.find(kSeparator, at)) != std::string_view::npos; ++at) {
    const size_t end = at + kSeparator.size();
    if ((at == 0 || line[at - 1] == ' ') && (end == line.size() || line[end] == ' ')) return at;
  }
  return std::string_view::npos;
}

std::string_view column_of(std::string_view line, int32_t column) {
  for (; column > 0; --column) line.remove_prefix(line.find('\t') + 1);
  return line.substr(0, line.find('\t'));
}

}  // namespace

std::pair<Lines, Lines> split_pairs(const Lines& lines, const PairColumns& columns,
                                    const std::string& name, int64_t first_line) {
  std::pair<Lines, Lines> result;
  const auto refuse = [&](size_t line, std::string found, std::string expected) {
    throw FormatError({.path = name,
                       .line = first_line + static_cast<int64_t>(line),
                       .found = std::move(found),
                       .expected = std::move(expected)});
  };
  const int64_t needed = std::max(columns.source, columns.target) + int64_t{1};
  for (size_t i = 0; i < lines.size(); ++i) {
    const std::string_view line = lines[i];
    if (columns.format == PairFormat::kTsv) {
      const int64_t found = std::count(line.begin(), line.end(), '\t') + 1;
      if (found < needed)
        refuse(i, std::to_string(found) + (found == 1 ? " column" : " columns"),
               "at least " + std::to_string(needed) + " columns separated by tabs");
      result.first.append(column_of(line, columns.source));
      result.second.append(column_of(line, columns.target));
      continue;
    }
    const size_t at = find_separator(line, 0);
    int64_t found = 0;
    for (size_t next = at; next != std::string_view::npos; next = find_separator(line, next + 1))
      ++found;
    if (found != 1)
      refuse(i, std::to_string(found) + " separators '|||'", "one: source ||| target");
    result.first.append(line.substr(0, at == 0 ? 0 : at - 1));
    result.second.append(line.substr(std::min(line.size(), at + kSeparator.size() + 1)));
  }
  return result;
}

}  // namespace demotic::align
