// The source side of a rule, found from its number: the store keeps it only as a path of its trie.
#pragma once

#include <algorithm>
#include <vector>

#include "demotic/rules/rule_store.h"

namespace demotic::features {

// Calls visit(symbol) for each symbol of the source side, in order. One binary search a symbol. The
// rule must be one of the store's.
template <typename Visit>
void visit_rule_source(const RuleStore& store, RuleId rule, Visit&& visit) {
  TrieNode node = kTrieRoot;
  // Invariant: the rule is the node's own or that of a node below.
  for (;;) {
    const std::span<const StoredNode> children = store.children(node);
    const auto past = std::ranges::upper_bound(children, rule, {}, &StoredNode::first_rule);
    if (past == children.begin()) return;
    visit((past - 1)->symbol);
    node = store.number(*(past - 1));
  }
}

// How many source symbols each rule has, at most 255, in one walk through the trie.
std::vector<uint8_t> source_lengths(const RuleStore& store);

}  // namespace demotic::features
