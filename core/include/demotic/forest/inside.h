// The inside pass: for every node the semiring sum over its derivations, bottom-up, in time linear
// in edges and tails.
#pragma once

#include <vector>

#include "demotic/forest/hypergraph.h"
#include "demotic/forest/semiring.h"

namespace demotic::forest {

// `weight(edge)` is the edge's own value. A node without a derivation has S::zero().
template <Semiring S, typename EdgeWeight>
std::vector<typename S::Value> inside(const HypergraphView& graph, EdgeWeight&& weight) {
  std::vector<typename S::Value> value(graph.nodes());
  for (int32_t node = 0; node < graph.nodes(); ++node) {
    typename S::Sum sum;
    for (const int32_t edge : graph.incoming(node)) {
      typename S::Value product = weight(edge);
      for (const int32_t tail : graph.tails_of(edge)) product = S::times(product, value[tail]);
      sum.add(product);
    }
    value[node] = sum.total();
  }
  return value;
}

}  // namespace demotic::forest
