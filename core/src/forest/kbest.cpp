#include "demotic/forest/kbest.h"

#include "demotic/forest/distinct.h"
#include "demotic/forest/viterbi.h"

namespace demotic::forest {
namespace {

struct RankedNode {
  int32_t node, rank;
};

void unfold_choice(const ScoredHypergraph& graph, const LazyKBest& lists, RankedNode top,
                   std::vector<int32_t>& edges) {
  unfold(
      graph.view(), top,
      [&](const RankedNode& item) { return lists.choice(item.node, item.rank).edge; },
      [&](const RankedNode& item, int32_t edge, int32_t i) {
        return RankedNode{graph.tails_of(edge)[i],
                          lists.ranks(lists.choice(item.node, item.rank))[i]};
      },
      edges);
}

}  // namespace

ScoredHypergraph::ScoredHypergraph(const HypergraphView& graph, std::span<const double> scores)
    : graph_(graph), scores_(scores), best_(viterbi(graph, scores)) {}

Derivations first_derivations(const ScoredHypergraph& graph, LazyKBest& lists, int32_t node,
                              int64_t k, const StopFlag& stop) {
  Derivations best;
  for (int32_t rank = 0; rank < k && lists.find(node, rank, stop); ++rank) {
    unfold_choice(graph, lists, {node, rank}, best.edges.values);
    best.edges.end_row();
    best.scores.push_back(lists.choice(node, rank).score);
  }
  return best;
}

Derivations kbest(const HypergraphView& graph, std::span<const double> scores, int32_t node,
                  int64_t k, const StopFlag& stop) {
  const ScoredHypergraph scored(graph, scores);
  LazyKBest lists(scored);
  return first_derivations(scored, lists, node, k, stop);
}

}  // namespace demotic::forest
