#include "demotic/forest/prune.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <stdexcept>

#include "demotic/forest/inside.h"
#include "demotic/forest/outside.h"
#include "demotic/forest/viterbi.h"

namespace demotic::forest {
namespace {

std::vector<double> max_marginals(const HypergraphView& graph, std::span<const double> scores) {
  const auto weight = [&](int32_t edge) { return scores[edge]; };
  const std::vector<double> in = inside<MaxPlus>(graph, weight);
  const std::vector<double> out = outside<MaxPlus>(graph, in, weight);
  std::vector<double> marginals(graph.edges());
  for (int32_t node = 0; node < graph.nodes(); ++node)
    for (const int32_t edge : graph.incoming(node))
      marginals[edge] = through<MaxPlus>(graph, edge, scores[edge], out[node], in);
  return marginals;
}

// The largest marginal that must be dropped if at most `most` edges may be above it; at least minus
// infinity, which no derivation has.
double density_cut(std::vector<double> marginals, double most) {
  if (most >= static_cast<double>(marginals.size())) return kNoScore;
  const auto cut = marginals.begin() + static_cast<int64_t>(most);
  std::nth_element(marginals.begin(), cut, marginals.end(), std::greater<>());
  return *cut;
}

}  // namespace

SubHypergraph restrict_to(const HypergraphView& graph, std::span<const uint8_t> keep) {
  const auto weight = [&](int32_t edge) -> uint8_t { return keep[edge] != 0; };
  const std::vector<uint8_t> in = inside<Boolean>(graph, weight);
  const std::vector<uint8_t> out = outside<Boolean>(graph, in, weight);
  SubHypergraph part;
  std::vector<int32_t> new_name(graph.nodes(), -1);
  for (int32_t node = 0; node < graph.nodes(); ++node) {
    if (!(in[node] & out[node]) && node != graph.root()) continue;
    for (const int32_t edge : graph.incoming(node)) {
      if (!through<Boolean>(graph, edge, weight(edge), out[node], in)) continue;
      for (const int32_t tail : graph.tails_of(edge)) part.graph.tails.push_back(new_name[tail]);
      part.graph.end_edge();
      part.edges.push_back(edge);
    }
    part.graph.end_node();
    new_name[node] = static_cast<int32_t>(part.nodes.size());
    part.nodes.push_back(node);
  }
  return part;
}

SubHypergraph prune(const HypergraphView& graph, std::span<const double> scores,
                    const PruneLimits& limits) {
  if (!(limits.threshold >= 0 && limits.density >= 0))
    throw std::invalid_argument("limits of pruning must be at least 0");
  const std::vector<Best::Value> best = viterbi(graph, scores);
  const std::vector<int32_t> winner = best_derivation(graph, best, graph.root());
  std::vector<uint8_t> keep(graph.edges());
  if (winner.empty()) return restrict_to(graph, keep);
  const std::vector<double> marginals = max_marginals(graph, scores);
  const double score = best[graph.root()].score;
  const double lowest = score - limits.threshold - 1e-9 * std::abs(score);
  const double cut =
      density_cut(marginals, std::floor(limits.density * static_cast<double>(winner.size())));
  for (int32_t edge = 0; edge < graph.edges(); ++edge)
    keep[edge] = marginals[edge] >= lowest && marginals[edge] > cut;
  for (const int32_t edge : winner) keep[edge] = 1;
  return restrict_to(graph, keep);
}

}  // namespace demotic::forest
