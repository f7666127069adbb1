// Lazy k-best derivations: Huang & Chiang (2005), Algorithm 3. Every node computes only as many as
// are requested from above. The best one of every node comes from a Viterbi pass; the recursion for
// the others has an explicit stack.
//
// Order: by score, then by edge, then by the ranks of the tails, so the first is Viterbi's and the
// list is the same everywhere. Derivations with score minus infinity do not exist.
#pragma once

#include <cstdint>
#include <deque>
#include <limits>
#include <span>
#include <vector>

#include "demotic/base/stop.h"
#include "demotic/forest/derivations.h"
#include "demotic/forest/hypergraph.h"
#include "demotic/forest/semiring.h"

namespace demotic::forest {

class DistinctYields;

class LazyKBest {
 public:
  // One derivation of a node: an edge, and the rank of the derivation used for each tail.
  struct Choice {
    double score;
    int32_t edge;
    size_t ranks;  // offset of the tails' ranks; see `ranks`
  };

  // Keeps references to its arguments. With `distinct`, only the best of all derivations of a node
  // with the same yield exists. Gives up after `max_examined` derivations, over all nodes.
  LazyKBest(const HypergraphView& graph, std::span<const double> scores,
            DistinctYields* distinct = nullptr,
            int64_t max_examined = std::numeric_limits<int64_t>::max());

  // Whether `node` has a derivation of this rank, from 0; computes it if necessary.
  bool find(int32_t node, int32_t rank, const StopFlag& stop);

  // The k best derivations of `node`, or all if there are fewer.
  Derivations first(int32_t node, int64_t k, const StopFlag& stop);

  // A result of `find`. The reference is valid until the next call of `find`.
  const Choice& choice(int32_t node, int32_t rank) const {
    return lists_[list_of_node_[node]].found[rank];
  }
  std::span<const int32_t> ranks(const Choice& choice) const {
    return {ranks_.data() + choice.ranks, static_cast<size_t>(graph_.arity(choice.edge))};
  }
  void unfold(int32_t node, int32_t rank, std::vector<int32_t>& edges) const;

  // The number of derivations examined, and whether it exceeded the limit.
  int64_t examined() const noexcept { return examined_; }
  bool gave_up() const noexcept { return gave_up_; }

 private:
  // The state of one node. A choice that was taken from the heap is replaced by its successors only
  // when the next one is requested: those from position `next_tail` on are still to be made.
  struct List {
    std::vector<Choice> found, heap;
    Choice taken{};
    int32_t next_tail = 0, tails = 0;
    bool finished = false;
  };
  struct Wish {
    int32_t node, rank;
  };

  List& list(int32_t node);
  void make_candidates(int32_t node, List& list);
  bool is_answered(const Wish& wish);
  void serve(std::vector<Wish>& wishes);
  int32_t missing_tail(const List& list);
  void add_successor(List& list, int32_t tail_rank);
  void take(int32_t node, List& list);
  bool is_later(const Choice& a, const Choice& b) const;
  auto later() const {
    return [this](const Choice& a, const Choice& b) { return is_later(a, b); };
  }

  HypergraphView graph_;
  std::span<const double> scores_;
  DistinctYields* distinct_;
  int64_t max_examined_, examined_ = 0;
  bool gave_up_ = false;
  std::vector<Best::Value> best_;
  std::vector<int32_t> list_of_node_;  // -1: not requested yet
  std::deque<List> lists_;
  std::vector<int32_t> ranks_;
};

// The k best derivations of `node`, or all if there are fewer.
Derivations kbest(const HypergraphView& graph, std::span<const double> scores, int32_t node,
                  int64_t k, const StopFlag& stop);

}  // namespace demotic::forest
