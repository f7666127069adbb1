#include "demotic/force/found_forest.h"

#include "demotic/forest/semiring.h"

namespace demotic::force {

double count_derivations(const FoundForest& forest) {
  std::vector<double> counts(forest.nodes.size());
  for (size_t node = 0; node < counts.size(); ++node) {
    const uint32_t begin = forest.edge_offsets[node], end = forest.edge_offsets[node + 1];
    Counting::Sum sum;
    if (begin == end) sum.add(Counting::one());  // phrases: the empty translation
    for (uint32_t edge = begin; edge < end; ++edge) {
      double product = Counting::one();
      for (const uint32_t tail : forest.edges[edge].tails)
        if (tail != kNoTail) product = Counting::times(product, counts[tail]);
      sum.add(product);
    }
    counts[node] = sum.total();
  }
  return counts.back();
}

}  // namespace demotic::force
