// Reads rows of numbers from text: one row per line, values separated by spaces.
#pragma once

#include <cstddef>
#include <vector>

#include "demotic/base/lines.h"

namespace demotic::base {

// Appends the numbers of lines [begin, end) to `values`, correctly rounded. Stops at the first line
// that is not exactly `width` finite decimal numbers and returns it, or `end`: the caller knows
// what that line should have been. About 30 ns per number.
size_t parse_number_rows(const Lines& lines, size_t begin, size_t end, size_t width,
                         std::vector<double>& values);

}  // namespace demotic::base
