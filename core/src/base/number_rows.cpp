#include "demotic/base/number_rows.h"

#include <cmath>

#include "demotic/base/read_number.h"

namespace demotic::base {
namespace {

bool parse_row(std::string_view line, size_t width, std::vector<double>& values) {
  const char *next = line.data(), *const end = next + line.size();
  const auto skip_spaces = [&] {
    while (next != end && *next == ' ') ++next;
  };
  for (size_t i = 0; i < width; ++i) {
    skip_spaces();
    double value = 0;
    const auto [stop, error] = read_number(next, end, value);
    if (error != std::errc() || !std::isfinite(value)) return false;
    if (stop != end && *stop != ' ') return false;
    values.push_back(value);
    next = stop;
  }
  skip_spaces();
  return next == end;
}

}  // namespace

size_t parse_number_rows(const Lines& lines, size_t begin, size_t end, size_t width,
                         std::vector<double>& values) {
  for (size_t line = begin; line < end; ++line) {
    const size_t before = values.size();
    if (parse_row(lines[line], width, values)) continue;
    values.resize(before);
    return line;
  }
  return end;
}

}  // namespace demotic::base
