#include "demotic/forest/viterbi.h"

#include "demotic/forest/inside.h"

namespace demotic::forest {

std::vector<Best::Value> viterbi(const HypergraphView& graph, std::span<const double> scores) {
  return inside<Best>(graph, [&](int32_t edge) { return Best::Value{scores[edge], edge}; });
}

std::vector<int32_t> best_derivation(const HypergraphView& graph, std::span<const Best::Value> best,
                                     int32_t node) {
  std::vector<int32_t> edges;
  if (best[node].edge < 0) return edges;
  unfold(
      graph, node, [&](int32_t head) { return best[head].edge; },
      [&](int32_t, int32_t edge, int32_t i) { return graph.tails_of(edge)[i]; }, edges);
  return edges;
}

}  // namespace demotic::forest
