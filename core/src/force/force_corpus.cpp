#include "demotic/force/force_corpus.h"

#include "demotic/forest/semiring.h"

namespace demotic::force {

double count_derivations(const FoundForest& forest) {
  std::vector<double> counts(forest.nodes.size());
  for (size_t node = 0; node < counts.size(); ++node) {
    const uint32_t begin = forest.edge_offsets[node], end = forest.edge_offsets[node + 1];
    Counting::Sum sum;
    if (begin == end) sum.add(Counting::one());  // phrases: the empty translation
    for (uint32_t edge = begin; edge < end; ++edge) {
      double ways = Counting::one();
      for (const uint32_t tail : forest.edges[edge].tails)
        if (tail != UINT32_MAX) ways = Counting::times(ways, counts[tail]);
      sum.add(ways);
    }
    counts[node] = sum.total();
  }
  return counts.back();
}

void append(const ForcedResult& result, ForcedPairs& pairs) {
  pairs.reached.push_back(static_cast<uint8_t>(result.reached));
  pairs.cause.push_back(static_cast<uint8_t>(result.cause));
  const bool found = !result.forests.empty();
  pairs.source_words.push_back(found ? result.forests[0].source_length : 0);
  pairs.target_words.push_back(found ? result.forests[0].target_length : 0);
  pairs.derivations.push_back(found ? count_derivations(result.forests[0]) : 0);
  int64_t nodes = 0, edges = 0;
  for (const FoundForest& forest : result.forests) {
    nodes += static_cast<int64_t>(forest.nodes.size());
    edges += static_cast<int64_t>(forest.edges.size());
  }
  pairs.nodes.push_back(nodes);
  pairs.edges.push_back(edges);
}

}  // namespace demotic::force
