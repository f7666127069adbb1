// Splits lines that hold both sides of a sentence pair: columns separated by tabs, or
// `source ||| target`.
#pragma once

#include <string>
#include <utility>

#include "demotic/base/lines.h"

namespace demotic::align {

enum class PairFormat { kTsv, kJoined };

struct PairColumns {
  PairFormat format = PairFormat::kTsv;
  int32_t source = 0, target = 1;  // from 0; not used by kJoined
};

// Throws FormatError with `name` and the line, counted from `first_line`, if a line has too few
// columns or not exactly one separator. A side may be empty.
std::pair<Lines, Lines> split_pairs(const Lines& lines, const PairColumns& columns,
                                    const std::string& name, int64_t first_line);

}  // namespace demotic::align
