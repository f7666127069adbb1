#include "demotic/forest/distinct.h"

#include <utility>

#include "demotic/base/hash.h"

namespace demotic::forest {
namespace {

// A position in the yield of a choice that advances symbol by symbol; a gap can be entered, or
// skipped as a whole.
class YieldWalk {
 public:
  YieldWalk(const HypergraphView& graph, const TargetSides& targets, const LazyKBest& lists,
            const LazyKBest::Choice& choice)
      : graph_(graph), targets_(targets), lists_(lists), frames_{{choice, 0}} {
    settle();
  }

  bool at_end() const { return frames_.empty(); }
  Symbol symbol() const { return targets_[frames_.back().choice.edge][frames_.back().next]; }
  bool at_gap() const { return !at_end() && is_gap(symbol()); }

  // Node and rank of the derivation that fills the gap.
  std::pair<int32_t, int32_t> filler() const {
    const LazyKBest::Choice& choice = frames_.back().choice;
    const int32_t i = gap_index(symbol());
    return {graph_.tails_of(choice.edge)[i], lists_.ranks(choice)[i]};
  }

  void pass() {
    ++frames_.back().next;
    settle();
  }

  void enter() {
    const auto [node, rank] = filler();
    ++frames_.back().next;
    if (frames_.back().next == targets_[frames_.back().choice.edge].size()) frames_.pop_back();
    frames_.push_back({lists_.choice(node, rank), 0});
    settle();
  }

 private:
  struct Frame {
    LazyKBest::Choice choice;
    size_t next;  // symbol of its target side
  };

  void settle() {
    while (!frames_.empty() && frames_.back().next == targets_[frames_.back().choice.edge].size())
      frames_.pop_back();
  }

  const HypergraphView& graph_;
  const TargetSides& targets_;
  const LazyKBest& lists_;
  std::vector<Frame> frames_;
};

// Parts shared by two derivations are skipped: of two gaps the one of the later node is entered,
// since only that can contain the other.
bool same_yield(YieldWalk a, YieldWalk b) {
  for (;;) {
    if (a.at_gap() && b.at_gap()) {
      const auto in_a = a.filler(), in_b = b.filler();
      if (in_a == in_b) {
        a.pass();
        b.pass();
      } else {
        (in_a.first < in_b.first ? b : a).enter();
      }
    } else if (a.at_gap()) {
      a.enter();
    } else if (b.at_gap()) {
      b.enter();
    } else if (a.at_end() || b.at_end()) {
      return a.at_end() && b.at_end();
    } else {
      if (a.symbol() != b.symbol()) return false;
      a.pass();
      b.pass();
    }
  }
}

constexpr uint64_t kBase = 0x9e3779b97f4a7c15u;

}  // namespace

DistinctYields::DistinctYields(const HypergraphView& graph, const TargetSides& targets)
    : graph_(graph), targets_(targets), hashes_(graph.nodes()) {}

DistinctYields::Hash DistinctYields::hash_of(const LazyKBest& lists,
                                             const LazyKBest::Choice& choice) const {
  Hash hash;
  for (const Symbol symbol : targets_[choice.edge]) {
    if (is_gap(symbol)) {
      const int32_t i = gap_index(symbol);
      hash.append(hashes_[graph_.tails_of(choice.edge)[i]][lists.ranks(choice)[i]]);
    } else {
      hash.append({mix64(static_cast<uint64_t>(symbol) + 1), kBase});
    }
  }
  return hash;
}

bool DistinctYields::admit(const LazyKBest& lists, int32_t node, const LazyKBest::Choice& choice) {
  const Hash hash = hash_of(lists, choice);
  int32_t& newest = first_[mix64(hash.value ^ hash.power) ^ mix64(static_cast<uint64_t>(node))];
  for (int32_t i = newest; i != 0; i = entries_[i - 1].next) {
    const Entry& entry = entries_[i - 1];
    if (entry.node == node && same_yield({graph_, targets_, lists, choice},
                                         {graph_, targets_, lists, lists.choice(node, entry.rank)}))
      return false;
  }
  entries_.push_back({node, static_cast<int32_t>(hashes_[node].size()), newest});
  newest = static_cast<int32_t>(entries_.size());
  hashes_[node].push_back(hash);
  return true;
}

DistinctDerivations distinct_kbest(const HypergraphView& graph, std::span<const double> scores,
                                   const TargetSides& targets, int32_t node, int64_t k,
                                   int64_t max_examined, const StopFlag& stop) {
  DistinctYields distinct(graph, targets);
  const ScoredHypergraph scored(graph, scores);
  LazyKBest lists(scored, &distinct, max_examined);
  Derivations best = first_derivations(scored, lists, node, k, stop);
  return {std::move(best), lists.examined(), !lists.gave_up()};
}

}  // namespace demotic::forest
