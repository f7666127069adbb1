// The best derivation with a given yield: the forest intersected with a string.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "demotic/forest/targets.h"

namespace demotic::forest {

// Edges in pre-order of the best derivation of the root whose yield is `words`; none if there is no
// such derivation. Of equal ones the first edges win. An edge whose target side omits a tail is in
// none of them. Time and memory: edges times positions where their words occur, and times pairs of
// pieces for two gaps.
std::vector<int32_t> best_saying(const HypergraphView& graph, std::span<const double> scores,
                                 const TargetSides& targets, std::span<const Symbol> words);

}  // namespace demotic::forest
