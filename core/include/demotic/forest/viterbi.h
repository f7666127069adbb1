// The best derivation under any scores of edges: model, hope or fear.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "demotic/forest/derivations.h"
#include "demotic/forest/hypergraph.h"
#include "demotic/forest/semiring.h"

namespace demotic::forest {

// For every node the best score and the first edge of the derivation; of equal edges the first.
// Without a derivation: minus infinity and -1. Linear time.
std::vector<Best::Value> viterbi(const HypergraphView& graph, std::span<const double> scores);

// The edges of the best derivation of `node`, from the result of `viterbi`; none if it has none.
std::vector<int32_t> best_derivation(const HypergraphView& graph, std::span<const Best::Value> best,
                                     int32_t node);

}  // namespace demotic::forest
