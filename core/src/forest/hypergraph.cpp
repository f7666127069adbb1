#include "demotic/forest/hypergraph.h"

#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

#include "demotic/base/csr.h"
#include "demotic/base/errors.h"

namespace demotic::forest {
namespace {

void check_offsets(std::span<const int32_t> offsets, size_t end, const char* name) {
  if (offsets.empty() || offsets.front() != 0)
    throw ModelError({.found = std::string(name) + " that do not begin with 0",
                      .expected = "one offset more than rows, the first 0"});
  for (size_t i = 1; i < offsets.size(); ++i)
    if (offsets[i] < offsets[i - 1])
      throw ModelError(
          {.found = std::string(name) + " that decrease at row " + std::to_string(i - 1),
           .expected = "non-decreasing offsets"});
  if (static_cast<size_t>(offsets.back()) != end)
    throw ModelError({.found = std::string(name) + " that end at " + std::to_string(offsets.back()),
                      .expected = "an end at " + std::to_string(end)});
}

void check_tail(int32_t edge, int32_t tail, int32_t head) {
  if (tail < 0 || tail >= head)
    throw ModelError({.found = "edge " + std::to_string(edge) + " of node " + std::to_string(head) +
                               " with tail " + std::to_string(tail),
                      .expected = "nodes in topological order, tails before heads"});
}

}  // namespace

void check(const HypergraphView& graph) {
  if (graph.edge_offsets.size() < 2)
    throw ModelError({.found = "a hypergraph without nodes", .expected = "at least a root"});
  constexpr size_t most = std::numeric_limits<int32_t>::max();
  if (graph.edge_offsets.size() > most || graph.tail_offsets.size() > most)
    throw ModelError({.found = "a hypergraph too large for 32-bit indices"});
  check_offsets(graph.tail_offsets, graph.tails.size(), "tail offsets");
  check_offsets(graph.edge_offsets, graph.tail_offsets.size() - 1, "edge offsets");
  for (int32_t node = 0; node < graph.nodes(); ++node)
    for (const int32_t edge : graph.incoming(node))
      for (const int32_t tail : graph.tails_of(edge)) check_tail(edge, tail, node);
}

void check_scores(const HypergraphView& graph, std::span<const double> scores) {
  if (scores.size() != static_cast<size_t>(graph.edges()))
    throw std::invalid_argument(std::to_string(scores.size()) + " scores for " +
                                std::to_string(graph.edges()) + " edges");
  for (size_t edge = 0; edge < scores.size(); ++edge)
    if (!(scores[edge] < std::numeric_limits<double>::infinity()))
      throw ModelError({.found = std::string("the score ") +
                                 (std::isnan(scores[edge]) ? "NaN" : "infinity") + " of edge " +
                                 std::to_string(edge),
                        .expected = "a finite number or minus infinity"});
}

std::vector<int32_t> edge_heads(const HypergraphView& graph) {
  std::vector<int32_t> heads(graph.edges());
  for (int32_t node = 0; node < graph.nodes(); ++node)
    for (const int32_t edge : graph.incoming(node)) heads[edge] = node;
  return heads;
}

}  // namespace demotic::forest
