#include "demotic/forest/targets.h"

#include <stdexcept>
#include <string>
#include <vector>

#include "demotic/base/errors.h"

namespace demotic::forest {

void check_targets(const HypergraphView& graph, const TargetSides& targets) {
  if (!well_formed(targets) || targets.size() != static_cast<size_t>(graph.edges()))
    throw std::invalid_argument("target sides of " + std::to_string(targets.size()) +
                                " edges with offsets that do not fit " +
                                std::to_string(graph.edges()) + " edges");
  std::vector<int32_t> used_by;  // the last edge that used a tail with this index
  for (int32_t edge = 0; edge < graph.edges(); ++edge) {
    if (static_cast<size_t>(graph.arity(edge)) > used_by.size())
      used_by.resize(graph.arity(edge), -1);
    for (const Symbol symbol : targets[edge]) {
      if (!is_gap(symbol)) continue;
      if (gap_index(symbol) >= graph.arity(edge) || used_by[gap_index(symbol)] == edge)
        throw ModelError({.found = "the target symbol " + std::to_string(symbol) + " of edge " +
                                   std::to_string(edge),
                          .expected = "a word, or one of its " + std::to_string(graph.arity(edge)) +
                                      " tails, each once"});
      used_by[gap_index(symbol)] = edge;
    }
  }
}

}  // namespace demotic::forest
