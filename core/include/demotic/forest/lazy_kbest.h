// Lazy k-best derivations: Huang & Chiang (2005), Algorithm 3. Every node computes only as many as
// are requested from above. The best score of every node is known in advance; the recursion for the
// others has an explicit stack.
//
// Order: by score, then by edge, then by the ranks of the tails. Derivations of score minus
// infinity do not exist.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <limits>
#include <span>
#include <vector>

#include "demotic/base/stop.h"
#include "demotic/forest/semiring.h"

namespace demotic::forest {

// `Graph` has
//
//   int32_t nodes();
//   void for_each_edge(int32_t node, visit);   // visit(edge) for the edges that make the node
//   std::span<const ...> tails_of(int32_t edge);
//   double score(int32_t edge);                // without its tails
//   double best(int32_t node);                 // score of the best derivation
//
// `Filter` has bool admit(lists, node, choice): whether a derivation counts.
template <typename Graph, typename Filter>
class BasicLazyKBest {
 public:
  // One derivation of a node: an edge, and the rank of the derivation used for each tail.
  struct Choice {
    double score;
    int32_t edge;
    size_t ranks;  // offset of the tails' ranks; see `ranks`
  };

  // Keeps references to its arguments; `filter` may be null. Gives up after `max_examined`
  // derivations, over all nodes.
  explicit BasicLazyKBest(Graph& graph, Filter* filter = nullptr,
                          int64_t max_examined = std::numeric_limits<int64_t>::max())
      : graph_(graph),
        filter_(filter),
        max_examined_(max_examined),
        list_of_node_(graph.nodes(), -1) {}

  // Whether `node` has a derivation of this rank, from 0; computes it if necessary.
  bool find(int32_t node, int32_t rank, const StopFlag& stop);

  // A result of `find`. The reference is valid until the next call of `find`.
  const Choice& choice(int32_t node, int32_t rank) const {
    return lists_[list_of_node_[node]].found[rank];
  }
  std::span<const int32_t> ranks(const Choice& choice) const {
    return {ranks_.data() + choice.ranks, graph_.tails_of(choice.edge).size()};
  }

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
  struct Request {
    int32_t node, rank;
  };

  List& list(int32_t node);
  void make_candidates(int32_t node, List& list);
  bool is_answered(const Request& request);
  void advance(std::vector<Request>& requests);
  int32_t missing_tail(const List& list);
  void add_successor(List& list, int32_t tail_rank);
  void take(int32_t node, List& list);
  bool is_later(const Choice& a, const Choice& b) const;
  auto later() const {
    return [this](const Choice& a, const Choice& b) { return is_later(a, b); };
  }

  Graph& graph_;
  Filter* filter_;
  int64_t max_examined_, examined_ = 0;
  bool gave_up_ = false;
  std::vector<int32_t> list_of_node_;  // -1: not requested yet
  std::deque<List> lists_;
  std::vector<int32_t> ranks_;
};

// The recursion of Algorithm 3 with an explicit stack in `requests`, whose nodes descend from
// request to request: the topmost is served or pushes a request for a tail's derivation.
template <typename Graph, typename Filter>
bool BasicLazyKBest<Graph, Filter>::find(int32_t node, int32_t rank, const StopFlag& stop) {
  std::vector<Request> requests{{node, rank}};
  while (!requests.empty() && !gave_up_) {
    if (is_answered(requests.back())) {
      requests.pop_back();
    } else {
      stop.check();
      advance(requests);
    }
  }
  return static_cast<size_t>(rank) < list(node).found.size();
}

template <typename Graph, typename Filter>
bool BasicLazyKBest<Graph, Filter>::is_answered(const Request& request) {
  const List& answers = list(request.node);
  return static_cast<size_t>(request.rank) < answers.found.size() || answers.finished;
}

// One step towards the next derivation of the topmost node: first the successors of the choice
// taken last, then the best of all candidates, whose tails must already have their derivations.
template <typename Graph, typename Filter>
void BasicLazyKBest<Graph, Filter>::advance(std::vector<Request>& requests) {
  const int32_t node = requests.back().node;
  List& wanted = list(node);
  if (wanted.next_tail == wanted.tails) {
    const int32_t missing = missing_tail(wanted);
    if (missing < 0) return take(node, wanted);
    requests.push_back({missing, 0});
    return;
  }
  const int32_t tail = graph_.tails_of(wanted.taken.edge)[wanted.next_tail];
  const int32_t tail_rank = ranks(wanted.taken)[wanted.next_tail] + 1;
  if (!is_answered({tail, tail_rank})) {
    requests.push_back({tail, tail_rank});
  } else {
    if (static_cast<size_t>(tail_rank) < list(tail).found.size()) add_successor(wanted, tail_rank);
    ++wanted.next_tail;
  }
}

template <typename Graph, typename Filter>
int32_t BasicLazyKBest<Graph, Filter>::missing_tail(const List& wanted) {
  if (wanted.heap.empty()) return -1;
  for (const auto tail : graph_.tails_of(wanted.heap.front().edge))
    if (list(tail).found.empty()) return tail;
  return -1;
}

template <typename Graph, typename Filter>
auto BasicLazyKBest<Graph, Filter>::list(int32_t node) -> List& {
  int32_t& index = list_of_node_[node];
  if (index >= 0) return lists_[index];
  index = static_cast<int32_t>(lists_.size());
  List& fresh = lists_.emplace_back();
  make_candidates(node, fresh);
  return fresh;
}

template <typename Graph, typename Filter>
void BasicLazyKBest<Graph, Filter>::make_candidates(int32_t node, List& fresh) {
  graph_.for_each_edge(node, [&](int32_t edge) {
    double score = graph_.score(edge);
    for (const auto tail : graph_.tails_of(edge)) score += graph_.best(tail);
    if (score == kNoScore) return;
    fresh.heap.push_back({score, edge, ranks_.size()});
    ranks_.resize(ranks_.size() + graph_.tails_of(edge).size(), 0);
  });
  std::ranges::make_heap(fresh.heap, later());
  fresh.finished = fresh.heap.empty();
}

template <typename Graph, typename Filter>
void BasicLazyKBest<Graph, Filter>::add_successor(List& wanted, int32_t tail_rank) {
  const size_t begin = ranks_.size();
  for (int32_t i = 0; i < wanted.tails; ++i) {
    const int32_t same = ranks_[wanted.taken.ranks + i];
    ranks_.push_back(i == wanted.next_tail ? tail_rank : same);
  }
  Choice candidate{graph_.score(wanted.taken.edge), wanted.taken.edge, begin};
  const auto tails = graph_.tails_of(candidate.edge);
  const std::span<const int32_t> chosen = ranks(candidate);
  for (size_t i = 0; i < tails.size(); ++i) candidate.score += choice(tails[i], chosen[i]).score;
  wanted.heap.push_back(candidate);
  std::ranges::push_heap(wanted.heap, later());
}

// Successors raise the rank of one tail at or after the last raised one, so that every combination
// of ranks has one predecessor and is made only once.
template <typename Graph, typename Filter>
void BasicLazyKBest<Graph, Filter>::take(int32_t node, List& wanted) {
  if (wanted.heap.empty()) {
    wanted.finished = true;
    return;
  }
  if (examined_ == max_examined_) {
    gave_up_ = true;
    return;
  }
  ++examined_;
  std::ranges::pop_heap(wanted.heap, later());
  wanted.taken = wanted.heap.back();
  wanted.heap.pop_back();
  const std::span<const int32_t> chosen = ranks(wanted.taken);
  wanted.tails = static_cast<int32_t>(chosen.size());
  wanted.next_tail = std::max(0, wanted.tails - 1);
  while (wanted.next_tail > 0 && chosen[wanted.next_tail] == 0) --wanted.next_tail;
  if (filter_ == nullptr || filter_->admit(*this, node, wanted.taken))
    wanted.found.push_back(wanted.taken);
}

template <typename Graph, typename Filter>
bool BasicLazyKBest<Graph, Filter>::is_later(const Choice& a, const Choice& b) const {
  if (a.score != b.score) return a.score < b.score;
  if (a.edge != b.edge) return a.edge > b.edge;
  return std::ranges::lexicographical_compare(ranks(b), ranks(a));
}

}  // namespace demotic::forest
