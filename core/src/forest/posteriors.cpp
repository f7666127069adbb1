#include "demotic/forest/posteriors.h"

#include <cmath>

#include "demotic/forest/inside.h"
#include "demotic/forest/outside.h"

namespace demotic::forest {

std::vector<double> log_inside(const HypergraphView& graph, std::span<const double> scores) {
  return inside<LogSum>(graph, [&](int32_t edge) { return scores[edge]; });
}

std::vector<double> log_outside(const HypergraphView& graph, std::span<const double> scores,
                                std::span<const double> inside) {
  return outside<LogSum>(graph, inside, [&](int32_t edge) { return scores[edge]; });
}

std::vector<double> edge_posteriors(const HypergraphView& graph, std::span<const double> scores) {
  const std::vector<double> in = log_inside(graph, scores), out = log_outside(graph, scores, in);
  const double total = in[graph.root()];
  std::vector<double> posteriors(graph.edges(), 0);
  if (total == kNoScore) return posteriors;
  for (int32_t node = 0; node < graph.nodes(); ++node)
    for (const int32_t edge : graph.incoming(node))
      posteriors[edge] =
          std::exp(through<LogSum>(graph, edge, scores[edge], out[node], in) - total);
  return posteriors;
}

std::vector<double> node_posteriors(const HypergraphView& graph, std::span<const double> scores) {
  const std::vector<double> in = log_inside(graph, scores), out = log_outside(graph, scores, in);
  const double total = in[graph.root()];
  std::vector<double> posteriors(graph.nodes(), 0);
  if (total == kNoScore) return posteriors;
  for (int32_t node = 0; node < graph.nodes(); ++node)
    posteriors[node] = std::exp(in[node] + out[node] - total);
  return posteriors;
}

std::vector<uint64_t> count_derivations(const HypergraphView& graph) {
  return inside<ExactCounting>(graph, [](int32_t) { return ExactCounting::one(); });
}

std::vector<double> estimate_derivations(const HypergraphView& graph) {
  return inside<Counting>(graph, [](int32_t) { return Counting::one(); });
}

}  // namespace demotic::forest
