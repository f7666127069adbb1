#include "demotic/forest/yields.h"

#include <utility>
#include <vector>

#include "demotic/forest/derivation_tree.h"

namespace demotic::forest {
namespace {

using TargetPlace =
    std::pair<int32_t, size_t>;  // position in the derivation, symbol of its target side

void append_words(const DerivationTree& tree, std::span<const int32_t> edges,
                  const TargetSides& targets, std::vector<TargetPlace>& pending,
                  std::vector<int32_t>& words) {
  pending.assign(1, {0, 0});
  while (!pending.empty()) {
    auto& [position, next] = pending.back();
    const std::span<const Symbol> side = targets[edges[position]];
    if (next == side.size()) {
      pending.pop_back();
      continue;
    }
    const Symbol symbol = side[next++];
    if (is_gap(symbol)) {
      pending.push_back({tree.tail(position, gap_index(symbol)), 0});
    } else {
      words.push_back(symbol);
    }
  }
}

}  // namespace

Csr<int32_t> yields(const HypergraphView& graph, const CsrView<int32_t>& derivations,
                    const TargetSides& targets) {
  Csr<int32_t> words;
  DerivationTree tree(graph);
  std::vector<TargetPlace> pending;
  for (size_t i = 0; i < derivations.size(); ++i) {
    tree.read(derivations[i]);
    if (!derivations[i].empty()) append_words(tree, derivations[i], targets, pending, words.values);
    words.end_row();
  }
  return words;
}

}  // namespace demotic::forest
