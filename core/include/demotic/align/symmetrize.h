// Symmetrises the links of two directions (Och and Ney 2003; Koehn, Och and Marcu 2003), adding
// them in the same order as Moses' symal, on which the result depends.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "demotic/align/alignments.h"

namespace demotic::align {

enum class Symmetrization : int32_t {
  kForward,   // the links of p(target | source): each target word has at most one
  kBackward,  // the links of p(source | target)
  kIntersection,
  kUnion,
  kGrowDiag,
  kGrowDiagFinal,
  kGrowDiagFinalAnd,
};

// Links need not be sorted; the result is. Positions must be below the lengths.
std::vector<Link> symmetrize(Symmetrization kind, std::span<const Link> forward,
                             std::span<const Link> backward, int32_t source_length,
                             int32_t target_length);

// Row by row. Throws std::invalid_argument if the numbers of rows differ.
Alignments symmetrize(Symmetrization kind, const Alignments& forward, const Alignments& backward);

}  // namespace demotic::align
