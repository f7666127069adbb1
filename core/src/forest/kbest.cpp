#include "demotic/forest/kbest.h"

#include <algorithm>

#include "demotic/forest/distinct.h"
#include "demotic/forest/viterbi.h"

namespace demotic::forest {

LazyKBest::LazyKBest(const HypergraphView& graph, std::span<const double> scores,
                     DistinctYields* distinct, int64_t max_examined)
    : graph_(graph),
      scores_(scores),
      distinct_(distinct),
      max_examined_(max_examined),
      best_(viterbi(graph, scores)),
      list_of_node_(graph.nodes(), -1) {}

// The recursion of Algorithm 3 with an explicit stack in `wishes`, whose nodes descend from wish to
// wish: the topmost is served or pushes a wish for a tail's derivation.
bool LazyKBest::find(int32_t node, int32_t rank, const StopFlag& stop) {
  std::vector<Wish> wishes{{node, rank}};
  while (!wishes.empty() && !gave_up_) {
    if (is_answered(wishes.back())) {
      wishes.pop_back();
    } else {
      stop.check();
      serve(wishes);
    }
  }
  return static_cast<size_t>(rank) < list(node).found.size();
}

bool LazyKBest::is_answered(const Wish& wish) {
  const List& answers = list(wish.node);
  return static_cast<size_t>(wish.rank) < answers.found.size() || answers.finished;
}

// One step towards the next derivation of the topmost node: first the successors of the choice
// taken last, then the best of all candidates, whose tails must already have their derivations.
void LazyKBest::serve(std::vector<Wish>& wishes) {
  const int32_t node = wishes.back().node;
  List& wanted = list(node);
  if (wanted.next_tail == wanted.tails) {
    const int32_t missing = missing_tail(wanted);
    if (missing < 0) return take(node, wanted);
    wishes.push_back({missing, 0});
    return;
  }
  const int32_t tail = graph_.tails_of(wanted.taken.edge)[wanted.next_tail];
  const int32_t tail_rank = ranks(wanted.taken)[wanted.next_tail] + 1;
  if (!is_answered({tail, tail_rank})) {
    wishes.push_back({tail, tail_rank});
  } else {
    if (static_cast<size_t>(tail_rank) < list(tail).found.size()) add_successor(wanted, tail_rank);
    ++wanted.next_tail;
  }
}

int32_t LazyKBest::missing_tail(const List& wanted) {
  if (wanted.heap.empty()) return -1;
  for (const int32_t tail : graph_.tails_of(wanted.heap.front().edge))
    if (list(tail).found.empty()) return tail;
  return -1;
}

LazyKBest::List& LazyKBest::list(int32_t node) {
  int32_t& index = list_of_node_[node];
  if (index >= 0) return lists_[index];
  index = static_cast<int32_t>(lists_.size());
  List& fresh = lists_.emplace_back();
  make_candidates(node, fresh);
  return fresh;
}

void LazyKBest::make_candidates(int32_t node, List& fresh) {
  for (const int32_t edge : graph_.incoming(node)) {
    double score = scores_[edge];
    for (const int32_t tail : graph_.tails_of(edge)) score += best_[tail].score;
    if (score == kNoScore) continue;
    fresh.heap.push_back({score, edge, ranks_.size()});
    ranks_.resize(ranks_.size() + graph_.arity(edge), 0);
  }
  std::ranges::make_heap(fresh.heap, later());
  fresh.finished = fresh.heap.empty();
}

void LazyKBest::add_successor(List& wanted, int32_t tail_rank) {
  const size_t begin = ranks_.size();
  for (int32_t i = 0; i < wanted.tails; ++i) {
    const int32_t same = ranks_[wanted.taken.ranks + i];
    ranks_.push_back(i == wanted.next_tail ? tail_rank : same);
  }
  Choice candidate{scores_[wanted.taken.edge], wanted.taken.edge, begin};
  const std::span<const int32_t> tails = graph_.tails_of(candidate.edge);
  const std::span<const int32_t> chosen = ranks(candidate);
  for (size_t i = 0; i < tails.size(); ++i) candidate.score += choice(tails[i], chosen[i]).score;
  wanted.heap.push_back(candidate);
  std::ranges::push_heap(wanted.heap, later());
}

// Successors raise the rank of one tail at or after the last raised one, so that every combination
// of ranks has one predecessor and is made only once.
void LazyKBest::take(int32_t node, List& wanted) {
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
  if (distinct_ == nullptr || distinct_->admit(*this, node, wanted.taken))
    wanted.found.push_back(wanted.taken);
}

bool LazyKBest::is_later(const Choice& a, const Choice& b) const {
  if (a.score != b.score) return a.score < b.score;
  if (a.edge != b.edge) return a.edge > b.edge;
  return std::ranges::lexicographical_compare(ranks(b), ranks(a));
}

void LazyKBest::unfold(int32_t node, int32_t rank, std::vector<int32_t>& edges) const {
  forest::unfold(
      graph_, Wish{node, rank}, [&](const Wish& item) { return choice(item.node, item.rank).edge; },
      [&](const Wish& item, int32_t edge, int32_t i) {
        return Wish{graph_.tails_of(edge)[i], ranks(choice(item.node, item.rank))[i]};
      },
      edges);
}

Derivations LazyKBest::first(int32_t node, int64_t k, const StopFlag& stop) {
  Derivations best;
  for (int32_t rank = 0; rank < k && find(node, rank, stop); ++rank) {
    unfold(node, rank, best.edges.values);
    best.edges.end_row();
    best.scores.push_back(choice(node, rank).score);
  }
  return best;
}

Derivations kbest(const HypergraphView& graph, std::span<const double> scores, int32_t node,
                  int64_t k, const StopFlag& stop) {
  return LazyKBest(graph, scores).first(node, k, stop);
}

}  // namespace demotic::forest
