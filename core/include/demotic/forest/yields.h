// The yields of derivations: their target words.
#pragma once

#include <cstdint>

#include "demotic/base/csr.h"
#include "demotic/forest/hypergraph.h"
#include "demotic/forest/targets.h"

namespace demotic::forest {

// The words of every derivation (edges in pre-order), one row each. Throws ModelError for a row
// that is not a derivation; an empty row, which stands for none, has no words.
Csr<int32_t> yields(const HypergraphView& graph, const CsrView<int32_t>& derivations,
                    const TargetSides& targets);

}  // namespace demotic::forest
