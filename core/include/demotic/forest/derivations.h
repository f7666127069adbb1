// Derivations: one edge for the node they derive, then a derivation for each tail of that edge.
// Stored as edges in pre-order, a head before the derivations of its tails, in the order of the
// tails, from which the tree can be rebuilt (derivation_tree.h).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "demotic/base/csr.h"
#include "demotic/base/errors.h"
#include "demotic/forest/hypergraph.h"

namespace demotic::forest {

struct Derivations {
  Csr<int32_t> edges;  // one row per derivation
  std::vector<double> scores;
};

// Because of sharing, a derivation of a small hypergraph can be larger than memory.
inline constexpr size_t kMaxDerivationEdges = size_t{1} << 24;

// Appends a derivation in pre-order. An item stands for the chosen derivation of a node:
// `edge_of(item)` is its first edge, `tail_of(item, edge, i)` the item of that edge's i-th tail.
// Uses an explicit stack, because a derivation may be as deep as the sentence is long.
template <typename Item, typename EdgeOf, typename TailOf>
void unfold(const HypergraphView& graph, Item top, EdgeOf&& edge_of, TailOf&& tail_of,
            std::vector<int32_t>& edges) {
  const size_t begin = edges.size();
  std::vector<Item> pending{top};
  while (!pending.empty()) {
    const Item item = pending.back();
    pending.pop_back();
    const int32_t edge = edge_of(item);
    edges.push_back(edge);
    for (int32_t i = graph.arity(edge) - 1; i >= 0; --i) pending.push_back(tail_of(item, edge, i));
    if (edges.size() + pending.size() - begin > kMaxDerivationEdges)
      throw ModelError(
          {.found = "a derivation of more than " + std::to_string(kMaxDerivationEdges) + " edges",
           .expected = "a hypergraph whose derivations fit in memory"});
  }
}

}  // namespace demotic::forest
