// The target sides of edges: a row of symbols each, as in rules. A symbol that is no gap is a word,
// gap number i stands for the yield of tail number i.
#pragma once

#include "demotic/base/csr.h"
#include "demotic/forest/hypergraph.h"
#include "demotic/rules/symbols.h"

namespace demotic::forest {

using TargetSides = CsrView<Symbol>;

// Throws std::invalid_argument unless there is one row an edge, and ModelError if a row names a
// tail that its edge lacks, or one tail twice: yields would outgrow their derivations.
void check_targets(const HypergraphView& graph, const TargetSides& targets);

}  // namespace demotic::forest
