// The outside pass: for every node the semiring sum over all completions of a derivation of it to
// one of the root, top-down, in time linear in edges and tails.
#pragma once

#include <span>
#include <vector>

#include "demotic/forest/hypergraph.h"
#include "demotic/forest/semiring.h"

namespace demotic::forest {

// `inside` and `weight` as in inside.h. The siblings of a tail are those at other positions, not
// those with other ids, so a node that is a tail twice counts twice. No division is used.
template <Semiring S, typename EdgeWeight>
std::vector<typename S::Value> outside(const HypergraphView& graph,
                                       std::span<const typename S::Value> inside,
                                       EdgeWeight&& weight) {
  using Value = typename S::Value;
  std::vector<typename S::Sum> sums(graph.nodes());
  std::vector<Value> value(graph.nodes(), S::zero()), after;
  sums[graph.root()].add(S::one());
  for (int32_t node = graph.root(); node >= 0; --node) {
    value[node] = sums[node].total();
    if (value[node] == S::zero()) continue;
    for (const int32_t edge : graph.incoming(node)) {
      const std::span<const int32_t> tails = graph.tails_of(edge);
      after.assign(tails.size() + 1, S::one());  // after[i]: product of the tails from i on
      for (size_t i = tails.size(); i-- > 0;) after[i] = S::times(inside[tails[i]], after[i + 1]);
      Value before = S::times(value[node], weight(edge));  // product of all but the tails from i on
      for (size_t i = 0; i < tails.size(); ++i) {
        sums[tails[i]].add(S::times(before, after[i + 1]));
        before = S::times(before, inside[tails[i]]);
      }
    }
  }
  return value;
}

// The sum over all derivations of the root that use `edge`, counted once per use.
template <Semiring S>
typename S::Value through(const HypergraphView& graph, int32_t edge, typename S::Value weight,
                          typename S::Value outside_of_head,
                          std::span<const typename S::Value> inside) {
  typename S::Value product = S::times(outside_of_head, weight);
  for (const int32_t tail : graph.tails_of(edge)) product = S::times(product, inside[tail]);
  return product;
}

}  // namespace demotic::forest
