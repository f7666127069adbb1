// Finds the source side of a rule from its id; the store keeps it only as a path in its trie.
#pragma once

#include <algorithm>
#include <vector>

#include "demotic/rules/rule_store.h"

namespace demotic::features {

// Calls visit(symbol) for each symbol of the source side, in order. Costs one binary search per
// symbol. The rule must be in the store.
template <typename Visit>
void visit_rule_source(const RuleStore& store, RuleId rule, Visit&& visit) {
  TrieNode node = kTrieRoot;
  // Invariant: the rule belongs to this node or to a node below it.
  for (;;) {
    const std::span<const StoredNode> children = store.children(node);
    const auto past = std::ranges::upper_bound(children, rule, {}, &StoredNode::first_rule);
    if (past == children.begin()) return;
    visit((past - 1)->symbol);
    node = store.number(*(past - 1));
  }
}

// Number of source symbols per rule, at most 255, in one traversal of the trie.
std::vector<uint8_t> source_lengths(const RuleStore& store);

}  // namespace demotic::features
