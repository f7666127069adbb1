// Word alignments: for each sentence pair the links between source and target positions.
#pragma once

#include <cstdint>
#include <string>

#include "demotic/base/csr.h"
#include "demotic/base/lines.h"

namespace demotic::align {

// Positions count from 0. Ordered by source, then target.
struct Link {
  int32_t source;
  int32_t target;

  friend auto operator<=>(const Link&, const Link&) = default;
};

// Row i holds the links of pair i, sorted and without duplicates.
using Alignments = Csr<Link>;

// Pharaoh format, one pair per line: "0-0 1-2 2-1". An empty line is a pair without links. Throws
// FormatError with `name` and the line for anything else.
Alignments parse_links(const Lines& lines, const std::string& name);
Lines format_links(const Alignments& alignments);

}  // namespace demotic::align
