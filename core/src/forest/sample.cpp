#include "demotic/forest/sample.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "demotic/base/rng.h"
#include "demotic/forest/inside.h"

namespace demotic::forest {
namespace {

// For each edge the share of its head's derivations that begin with it or an earlier edge.
std::vector<double> cumulative_shares(const HypergraphView& graph, std::span<const double> scores) {
  const std::vector<double> in = inside<LogSum>(graph, [&](int32_t edge) { return scores[edge]; });
  std::vector<double> shares(graph.edges(), 0);
  for (int32_t node = 0; node < graph.nodes(); ++node) {
    if (in[node] == kNoScore) continue;
    double sum = 0;
    for (const int32_t edge : graph.incoming(node)) {
      double score = scores[edge];
      for (const int32_t tail : graph.tails_of(edge)) score += in[tail];
      sum += std::exp(score - in[node]);
      shares[edge] = sum;
    }
  }
  return shares;
}

// The first edge whose cumulative share is above the draw; never one with share 0.
int32_t draw_edge(const HypergraphView& graph, std::span<const double> shares, int32_t node,
                  Rng& rng) {
  const int32_t begin = graph.edge_offsets[node], end = graph.edge_offsets[node + 1];
  const auto first = shares.begin() + begin, last = shares.begin() + end;
  const double draw = rng.uniform() * *(last - 1);
  return begin + static_cast<int32_t>(std::upper_bound(first, last - 1, draw) - first);
}

}  // namespace

Derivations sample(const HypergraphView& graph, std::span<const double> scores, double scale,
                   int64_t count, uint64_t seed, const StopFlag& stop) {
  std::vector<double> scaled(scores.begin(), scores.end());
  for (double& score : scaled)
    if (score != kNoScore) score *= scale;
  check_scores(graph, scaled);  // the product may overflow
  const std::vector<double> shares = cumulative_shares(graph, scaled);
  const std::span<const double> root_shares =
      std::span(shares).subspan(graph.edge_offsets[graph.root()]);
  Derivations drawn;
  if (root_shares.empty() || root_shares.back() == 0) return drawn;
  const Rng stem(seed);
  for (int64_t i = 0; i < count; ++i) {
    stop.check();
    Rng rng = stem.fork(i);
    const size_t begin = drawn.edges.values.size();
    unfold(
        graph, graph.root(), [&](int32_t node) { return draw_edge(graph, shares, node, rng); },
        [&](int32_t, int32_t edge, int32_t j) { return graph.tails_of(edge)[j]; },
        drawn.edges.values);
    drawn.edges.end_row();
    double score = 0;
    for (size_t j = begin; j < drawn.edges.values.size(); ++j)
      score += scores[drawn.edges.values[j]];
    drawn.scores.push_back(score);
  }
  return drawn;
}

}  // namespace demotic::forest
