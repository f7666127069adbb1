// The best derivation with a given yield: the forest intersected with a string.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "demotic/forest/targets.h"

namespace demotic::forest {

// Edges in pre-order of the best derivation of the root whose yield is `words`; none if there is no
// such derivation. Ties go to the first edges. Edges whose target side omits a tail are not used.
// Time and memory: edges times positions where their words match, and for edges with two gaps times
// pairs of spans of their tails.
std::vector<int32_t> best_with_yield(const HypergraphView& graph, std::span<const double> scores,
                                     const TargetSides& targets, std::span<const Symbol> words);

}  // namespace demotic::forest
