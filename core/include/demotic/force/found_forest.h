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

// Extracts the derivations of a goal from everything that a search has found. Not thread-safe; use
// one instance per thread.
class GoalForest {
 public:
  // States are numbered in topological order; the edges that leave a state come after those that
  // lead to it. is_goal(state): all goals become one node, `goal`, the last; node(state) is the
  // GoldNode of another state, edge(i) a FoundEdge. Keeps both orders.
  template <typename IsGoal, typename Node, typename Edge>
  FoundForest extract(size_t states, size_t edges, const GoldNode& goal, IsGoal&& is_goal,
                      Node&& node, Edge&& edge);

 private:
  static constexpr uint32_t kUnused = UINT32_MAX;

  std::vector<uint32_t> numbers_;  // by state: of its node
};

template <typename IsGoal, typename Node, typename Edge>
FoundForest GoalForest::extract(size_t states, size_t edges, const GoldNode& goal, IsGoal&& is_goal,
                                Node&& node, Edge&& edge) {
  numbers_.assign(states, kUnused);
  for (uint32_t state = 0; state < states; ++state)
    if (is_goal(state)) numbers_[state] = 0;
  for (size_t i = edges; i-- > 0;) {
    const FoundEdge& one = edge(i);
    if (numbers_[one.head] == kUnused) continue;
    for (const uint32_t tail : one.edge.tails)
      if (tail != kNoTail) numbers_[tail] = 0;
  }
  FoundForest found;
  for (uint32_t state = 0; state < states; ++state) {
    if (numbers_[state] == kUnused || is_goal(state)) continue;
    numbers_[state] = static_cast<uint32_t>(found.nodes.size());
    found.nodes.push_back(node(state));
  }
  for (uint32_t state = 0; state < states; ++state)
    if (is_goal(state)) numbers_[state] = static_cast<uint32_t>(found.nodes.size());
  found.nodes.push_back(goal);

  found.edge_offsets.assign(found.nodes.size() + 1, 0);
  for (size_t i = 0; i < edges; ++i)
    if (const uint32_t head = numbers_[edge(i).head]; head != kUnused) ++found.edge_offsets[head];
  uint32_t sum = 0;
  for (uint32_t& offset : found.edge_offsets) sum += std::exchange(offset, sum);
  found.edges.resize(sum);
  for (size_t i = 0; i < edges; ++i) {
    FoundEdge one = edge(i);
    if (numbers_[one.head] == kUnused) continue;
    for (uint32_t& tail : one.edge.tails)
      if (tail != kNoTail) tail = numbers_[tail];
    found.edges[found.edge_offsets[numbers_[one.head]]++] = one.edge;
  }
  std::shift_right(found.edge_offsets.begin(), found.edge_offsets.end(), 1);
  found.edge_offsets[0] = 0;
  return found;
}

}  // namespace demotic::force
