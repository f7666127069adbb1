#include "demotic/features/rule_source.h"

#include <utility>

namespace demotic::features {

std::vector<uint8_t> source_lengths(const RuleStore& store) {
  std::vector<uint8_t> lengths(store.size());
  std::vector<std::pair<TrieNode, int>> open = {{kTrieRoot, 0}};
  while (!open.empty()) {
    const auto [node, depth] = open.back();
    open.pop_back();
    if (store.has_rules(node)) {
      const RuleRange range = store.rules(node);
      std::fill(lengths.begin() + range.begin, lengths.begin() + range.end,
                static_cast<uint8_t>(std::min(depth, 255)));
    }
    for (const StoredNode& child : store.children(node))
      open.emplace_back(store.number(child), depth + 1);
  }
  return lengths;
}

}  // namespace demotic::features
