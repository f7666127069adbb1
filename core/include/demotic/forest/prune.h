// Reduces hypergraphs to the derivations that matter.
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
  std::vector<int32_t> nodes, edges;  // their former indices
};

// The part used by complete derivations of the root with only edges `keep[edge]`. Linear time.
SubHypergraph restrict_to(const HypergraphView& graph, std::span<const uint8_t> keep);

struct PruneLimits {
  // How far the best derivation through an edge may be below the best of all.
  double threshold = std::numeric_limits<double>::infinity();
  // Edges kept per edge of the best derivation; edges with equal marginals are kept or dropped
  // together.
  double density = std::numeric_limits<double>::infinity();
};

// Keeps edges by their max-marginal, the score of the best derivation through them. Derivations
// with score minus infinity are removed; the best one is always kept. The threshold has a tolerance
// of 1e-9 of the best score, because sums taken in different orders differ.
SubHypergraph prune(const HypergraphView& graph, std::span<const double> scores,
                    const PruneLimits& limits);

}  // namespace demotic::forest
