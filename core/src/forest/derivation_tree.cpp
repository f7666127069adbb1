#include "demotic/forest/derivation_tree.h"

#include <string>

#include "demotic/base/errors.h"

namespace demotic::forest {
namespace {

[[noreturn]] void refuse(const std::string& found) {
  throw ModelError({.found = found, .expected = "the edges of one derivation in pre-order"});
}

}  // namespace

// Reads from the end: the trees that were read before an edge and have no parent yet are in
// `roots_`, the nearest on top; the tails of the edge are the topmost.
void DerivationTree::read(std::span<const int32_t> edges) {
  first_.resize(edges.size());
  tails_.clear();
  roots_.clear();
  for (int32_t position = static_cast<int32_t>(edges.size()) - 1; position >= 0; --position) {
    const int32_t edge = edges[position];
    if (edge < 0 || edge >= graph_.edges()) refuse("edge " + std::to_string(edge));
    first_[position] = static_cast<int32_t>(tails_.size());
    for (const int32_t tail : graph_.tails_of(edge)) {
      if (roots_.empty() || heads_[edges[roots_.back()]] != tail)
        refuse("edge " + std::to_string(edge) + " without a derivation of its tail " +
               std::to_string(tail));
      tails_.push_back(roots_.back());
      roots_.pop_back();
    }
    roots_.push_back(position);
  }
  if (roots_.size() > 1) refuse(std::to_string(roots_.size()) + " derivations in one row");
}

}  // namespace demotic::forest
