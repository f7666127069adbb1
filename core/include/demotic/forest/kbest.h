// The k best derivations of a node of a hypergraph. The first is Viterbi's.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "demotic/forest/derivations.h"
#include "demotic/forest/hypergraph.h"
#include "demotic/forest/lazy_kbest.h"

namespace demotic::forest {

// A hypergraph with one score per edge and, from a Viterbi pass, the best score of each node.
// Borrows the arrays.
class ScoredHypergraph {
 public:
  ScoredHypergraph(const HypergraphView& graph, std::span<const double> scores);

  int32_t nodes() const noexcept { return graph_.nodes(); }
  template <typename Visit>
  void for_each_edge(int32_t node, Visit&& visit) const {
    for (const int32_t edge : graph_.incoming(node)) visit(edge);
  }
  std::span<const int32_t> tails_of(int32_t edge) const noexcept { return graph_.tails_of(edge); }
  double score(int32_t edge) const noexcept { return scores_[edge]; }
  double best(int32_t node) const noexcept { return best_[node].score; }
  const HypergraphView& view() const noexcept { return graph_; }

 private:
  HypergraphView graph_;
  std::span<const double> scores_;
  std::vector<Best::Value> best_;
};

class DistinctYields;
using LazyKBest = BasicLazyKBest<const ScoredHypergraph, DistinctYields>;

// The k best derivations of `node`, or as many as there are.
Derivations first_derivations(const ScoredHypergraph& graph, LazyKBest& lists, int32_t node,
                              int64_t k, const StopFlag& stop);
Derivations kbest(const HypergraphView& graph, std::span<const double> scores, int32_t node,
                  int64_t k, const StopFlag& stop);

}  // namespace demotic::forest
