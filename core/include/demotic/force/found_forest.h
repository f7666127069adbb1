// The derivations that forced decoding has found for a pair, before they are written to a file.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "demotic/force/gold_forests.h"

namespace demotic::force {

// See GoldForest.
struct FoundForest {
  int32_t source_length = 0, target_length = 0;
  bool whole = false;
  std::vector<GoldNode> nodes;
  std::vector<uint32_t> edge_offsets;
  std::vector<GoldEdge> edges;
};

// The number of derivations, in the semiring `Counting`.
double count_derivations(const FoundForest& forest);

// An edge of a search: its head and its tails are states of the search.
struct FoundEdge {
  GoldEdge edge;
  uint32_t head;
};

inline constexpr uint32_t kUnused = UINT32_MAX;

// By state: 0 if it leads to a goal, or is one, else kUnused.
template <typename IsGoal, typename Edge>
std::vector<uint32_t> leading_to_goal(size_t states, size_t edges, IsGoal&& is_goal, Edge&& edge) {
  std::vector<uint32_t> marks(states, kUnused);
  for (uint32_t state = 0; state < states; ++state)
    if (is_goal(state)) marks[state] = 0;
  for (size_t i = edges; i-- > 0;) {
    const FoundEdge& one = edge(i);
    if (marks[one.head] == kUnused) continue;
    for (const uint32_t tail : one.edge.tails)
      if (tail != kNoTail) marks[tail] = 0;
  }
  return marks;
}

// The derivations of a goal, of everything that a search has found. States are in topological
// order, goals after all that lead to them; the edges that leave a state come after those that lead
// to it. The forest keeps both orders; its last node, `goal`, is every state with is_goal(state).
// node(state) is a GoldNode, edge(i) a FoundEdge.
template <typename IsGoal, typename Node, typename Edge>
FoundForest goal_forest(size_t states, size_t edges, const GoldNode& goal, IsGoal&& is_goal,
                        Node&& node, Edge&& edge) {
  std::vector<uint32_t> numbers = leading_to_goal(states, edges, is_goal, edge);
  FoundForest found;
  for (uint32_t state = 0; state < states; ++state) {
    if (numbers[state] == kUnused) continue;
    numbers[state] = static_cast<uint32_t>(found.nodes.size());
    if (!is_goal(state)) found.nodes.push_back(node(state));
  }
  found.nodes.push_back(goal);
  // Counting sort of the edges by head.
  found.edge_offsets.assign(found.nodes.size() + 1, 0);
  for (size_t i = 0; i < edges; ++i)
    if (const uint32_t head = numbers[edge(i).head]; head != kUnused) ++found.edge_offsets[head];
  uint32_t sum = 0;
  for (uint32_t& offset : found.edge_offsets) sum += std::exchange(offset, sum);
  found.edges.resize(sum);
  for (size_t i = 0; i < edges; ++i) {
    FoundEdge one = edge(i);
    if (numbers[one.head] == kUnused) continue;
    for (uint32_t& tail : one.edge.tails)
      if (tail != kNoTail) tail = numbers[tail];
    found.edges[found.edge_offsets[numbers[one.head]]++] = one.edge;
  }
  std::shift_right(found.edge_offsets.begin(), found.edge_offsets.end(), 1);
  found.edge_offsets[0] = 0;
  return found;
}

}  // namespace demotic::force
