// Smaller hypergraphs with the derivations that matter.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "demotic/forest/hypergraph.h"

namespace demotic::forest {

// A part of a hypergraph; the root is kept even if no derivation is left.
struct SubHypergraph {
  Hypergraph graph;
  std::vector<int32_t> nodes, edges;  // what they were called before
};

// What complete derivations of the root use, if they use only edges with `keep[edge]`. Linear time.
SubHypergraph restrict_to(const HypergraphView& graph, std::span<const uint8_t> keep);

struct PruneLimits {
  // How far the best derivation through an edge may be below the best of all.
  double threshold = std::numeric_limits<double>::infinity();
  // Edges kept for each edge of the best derivation; edges that are equally good go together.
  double density = std::numeric_limits<double>::infinity();
};

// Keeps edges by their max-marginal, the score of the best derivation through them. Derivations
// of score minus infinity go, the best one stays whatever the limits. The threshold is met with a
// slack of 1e-9 of the best score, because sums taken in different orders differ.
SubHypergraph prune(const HypergraphView& graph, std::span<const double> scores,
                    const PruneLimits& limits);

}  // namespace demotic::forest
