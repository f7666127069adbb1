// How often nodes and edges are used by derivations drawn with p(d) proportional to exp(score(d)):
// expected counts, which are probabilities unless a derivation uses a node or edge twice.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "demotic/forest/hypergraph.h"

namespace demotic::forest {

// Natural logs of the inside and outside sums of every node; minus infinity: no derivation.
std::vector<double> log_inside(const HypergraphView& graph, std::span<const double> scores);
std::vector<double> log_outside(const HypergraphView& graph, std::span<const double> scores,
                                std::span<const double> inside);

// All zero if the root has no derivation.
std::vector<double> edge_posteriors(const HypergraphView& graph, std::span<const double> scores);
std::vector<double> node_posteriors(const HypergraphView& graph, std::span<const double> scores);

// Number of derivations of every node, whatever their scores: exact below 2^64 - 1, the maximum.
std::vector<uint64_t> count_derivations(const HypergraphView& graph);
// The same as rounded doubles; infinite beyond their range.
std::vector<double> estimate_derivations(const HypergraphView& graph);

}  // namespace demotic::forest
