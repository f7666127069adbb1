// Recovers the tree of a derivation in pre-order: the positions of the tails' derivations.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "demotic/forest/hypergraph.h"

namespace demotic::forest {

// Reusable. Not thread-safe; use one instance per thread.
class DerivationTree {
 public:
  explicit DerivationTree(const HypergraphView& graph) : graph_(graph), heads_(edge_heads(graph)) {}

  // Throws ModelError unless `edges` is the pre-order of one derivation of some node.
  void read(std::span<const int32_t> edges);

  // The position at which the derivation of tail i of the edge at `position` begins.
  int32_t tail(int32_t position, int32_t i) const { return tails_[first_[position] + i]; }

 private:
  HypergraphView graph_;
  std::vector<int32_t> heads_;
  std::vector<int32_t> first_, tails_;
  std::vector<int32_t> roots_;  // of the trees that begin after the current position
};

}  // namespace demotic::forest
