// The result of every search: nodes, and edges that build one node from several. Topology only;
// algorithms add one number per edge and never see rules, words or features.
//
// The incoming edges of a node are contiguous, nodes are in topological order (tails before heads),
// the root is the last node. An edge has any number of tails, and a node may be a tail of one edge
// twice. All arrays are int32 and flat, so that those of NumPy or of a search can be used directly.
#pragma once

#include <cstdint>
#include <ranges>
#include <span>
#include <vector>

#include "demotic/namespaces.h"

namespace demotic::forest {

// A view; the arrays belong to someone else and must outlive it. Safe to read from several threads.
struct HypergraphView {
  std::span<const int32_t> edge_offsets;  // nodes() + 1: start of the incoming edges of a node
  std::span<const int32_t> tail_offsets;  // edges() + 1: start of the tails of an edge
  std::span<const int32_t> tails;

  int32_t nodes() const noexcept { return static_cast<int32_t>(edge_offsets.size()) - 1; }
  int32_t edges() const noexcept { return static_cast<int32_t>(tail_offsets.size()) - 1; }
  int32_t root() const noexcept { return nodes() - 1; }

  auto incoming(int32_t node) const noexcept {
    return std::views::iota(edge_offsets[node], edge_offsets[node + 1]);
  }
  int32_t arity(int32_t edge) const noexcept { return tail_offsets[edge + 1] - tail_offsets[edge]; }
  std::span<const int32_t> tails_of(int32_t edge) const noexcept {
    return tails.subspan(tail_offsets[edge], arity(edge));
  }
};

// The owning version, built node by node.
struct Hypergraph {
  std::vector<int32_t> edge_offsets{0}, tail_offsets{0}, tails;

  void end_edge() { tail_offsets.push_back(static_cast<int32_t>(tails.size())); }
  void end_node() { edge_offsets.push_back(static_cast<int32_t>(tail_offsets.size()) - 1); }
  operator HypergraphView() const noexcept { return {edge_offsets, tail_offsets, tails}; }
};

// Throws ModelError unless external arrays satisfy the conditions above; linear time. Algorithms do
// not check again.
void check(const HypergraphView& graph);

// Throws std::invalid_argument unless there is one score per edge, and ModelError if one is NaN or
// infinite; minus infinity is allowed: such an edge is in no derivation.
void check_scores(const HypergraphView& graph, std::span<const double> scores);

// The head of every edge.
std::vector<int32_t> edge_heads(const HypergraphView& graph);

}  // namespace demotic::forest
