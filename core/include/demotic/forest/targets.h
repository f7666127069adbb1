// The target sides of edges: one row of symbols each, as in rules. A symbol is a word, or gap i for
// the yield of tail i.
#pragma once

#include "demotic/base/csr.h"
#include "demotic/forest/hypergraph.h"
#include "demotic/rules/symbols.h"

namespace demotic::forest {

using TargetSides = CsrView<Symbol>;

// Throws std::invalid_argument unless there is one row per edge, and ModelError if a row names a
// tail that its edge does not have, or one tail twice: yields would outgrow their derivations.
void check_targets(const HypergraphView& graph, const TargetSides& targets);

}  // namespace demotic::forest
