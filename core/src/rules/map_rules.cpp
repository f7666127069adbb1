#include "demotic/rules/map_rules.h"

#include <algorithm>
#include <functional>
#include <tuple>
#include <utility>

namespace demotic::rules {
namespace {

struct SortedRule {
  std::vector<Symbol> target;
  int32_t lhs;
  RuleId rule;

  friend bool operator<(const SortedRule& a, const SortedRule& b) {
    return std::tie(a.target, a.lhs) < std::tie(b.target, b.lhs);
  }
};

std::vector<SortedRule> sorted(const RuleStore& store, TrieNode node) {
  std::vector<SortedRule> rules;
  const RuleRange range = store.rules(node);
  for (RuleId rule = range.begin; rule < range.end; ++rule) {
    rules.push_back({{}, store.lhs(rule), rule});
    store.target(rule, rules.back().target);
  }
  std::ranges::sort(rules, std::less{});
  return rules;
}

void map_node(const RuleStore& from, TrieNode node, const RuleStore& to, TrieNode other,
              std::vector<RuleId>& same) {
  if (!from.has_rules(node) || !to.has_rules(other)) return;
  const std::vector<SortedRule> theirs = sorted(to, other);
  for (const SortedRule& mine : sorted(from, node)) {
    const auto found = std::ranges::lower_bound(theirs, mine, std::less{});
    if (found != theirs.end() && !(mine < *found)) same[mine.rule] = found->rule;
  }
}

}  // namespace

std::vector<RuleId> map_rules(const RuleStore& from, const RuleStore& to) {
  std::vector<RuleId> same(from.size(), kNoRule);
  std::vector<std::pair<TrieNode, TrieNode>> open = {{kTrieRoot, kTrieRoot}};
  while (!open.empty()) {
    const auto [node, other] = open.back();
    open.pop_back();
    map_node(from, node, to, other, same);
    for (const StoredNode& child : from.children(node))
      if (const TrieNode match = to.child(other, child.symbol))
        open.emplace_back(from.number(child), match);
  }
  return same;
}

}  // namespace demotic::rules
