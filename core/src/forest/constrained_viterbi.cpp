#include "demotic/forest/constrained_viterbi.h"

#include <algorithm>
#include <cmath>

#include "demotic/forest/derivations.h"

namespace demotic::forest {
namespace {

// A node that yields words[begin:end] by its best derivation.
struct YieldedSpan {
  int32_t begin, end;
  double score;
  int32_t edge;
  int32_t tails;  // offset of the pieces of the edge's tails
};

class ConstrainedViterbi {
 public:
  ConstrainedViterbi(const HypergraphView& graph, std::span<const double> scores,
                     const TargetSides& targets, std::span<const Symbol> words)
      : graph_(graph), scores_(scores), targets_(targets), words_(words) {}

  std::vector<int32_t> best() {
    offsets_.push_back(0);
    for (int32_t node = 0; node < graph_.nodes(); ++node) add(node);
    std::vector<int32_t> edges;
    const auto length = static_cast<int32_t>(words_.size());
    for (int32_t i = offsets_[graph_.root()]; i < offsets_[graph_.root() + 1]; ++i)
      if (items_[i].begin == 0 && items_[i].end == length)
        unfold(
            graph_, i, [&](int32_t item) { return items_[item].edge; },
            [&](int32_t item, int32_t, int32_t tail) { return tails_[items_[item].tails + tail]; },
            edges);
    return edges;
  }

 private:
  void add(int32_t node) {
    node_items_.clear();
    for (const int32_t edge : graph_.incoming(node)) {
      if (scores_[edge] == -INFINITY || !yields_all_tails(edge)) continue;
      edge_ = edge;
      chosen_.assign(graph_.arity(edge), 0);
      for (int32_t begin = 0; begin <= static_cast<int32_t>(words_.size()); ++begin)
        match(begin, 0, begin, scores_[edge]);
    }
    // Sorted by position, so that a gap finds the pieces that begin there.
    std::ranges::stable_sort(node_items_, {},
                             [](const YieldedSpan& one) { return std::pair(one.begin, one.end); });
    items_.insert(items_.end(), node_items_.begin(), node_items_.end());
    offsets_.push_back(static_cast<int32_t>(items_.size()));
  }

  bool yields_all_tails(int32_t edge) const {
    return std::ranges::count_if(targets_[edge], [](Symbol s) { return is_gap(s); }) ==
           graph_.arity(edge);
  }

  void match(int32_t begin, size_t symbol, int32_t position, double score) {
    const auto side = targets_[edge_];
    if (symbol == side.size()) {
      keep(begin, position, score);
    } else if (!is_gap(side[symbol])) {
      if (position < static_cast<int32_t>(words_.size()) && words_[position] == side[symbol])
        match(begin, symbol + 1, position + 1, score);
    } else {
      const int32_t tail = gap_index(side[symbol]);
      const int32_t node = graph_.tails_of(edge_)[tail];
      const auto first = items_.begin() + offsets_[node],
                 last = items_.begin() + offsets_[node + 1];
      const auto from = std::partition_point(
          first, last, [&](const YieldedSpan& one) { return one.begin < position; });
      const auto here = static_cast<int32_t>(from - items_.begin());
      for (int32_t i = here; i < offsets_[node + 1] && items_[i].begin == position; ++i) {
        chosen_[tail] = i;
        match(begin, symbol + 1, items_[i].end, score + items_[i].score);
      }
    }
  }

  void keep(int32_t begin, int32_t end, double score) {
    auto known = std::ranges::find_if(
        node_items_, [&](const YieldedSpan& one) { return one.begin == begin && one.end == end; });
    if (known != node_items_.end() && known->score >= score) return;
    if (known == node_items_.end()) known = node_items_.insert(known, YieldedSpan{});
    *known = {begin, end, score, edge_, static_cast<int32_t>(tails_.size())};
    tails_.insert(tails_.end(), chosen_.begin(), chosen_.end());
  }

  const HypergraphView& graph_;
  const std::span<const double> scores_;
  const TargetSides& targets_;
  const std::span<const Symbol> words_;
  std::vector<int32_t> offsets_;  // by node
  std::vector<YieldedSpan> items_;
  std::vector<int32_t> tails_;
  // Scratch: items of the current node, current edge, items chosen for its tails.
  std::vector<YieldedSpan> node_items_;
  int32_t edge_ = 0;
  std::vector<int32_t> chosen_;
};

}  // namespace

std::vector<int32_t> best_with_yield(const HypergraphView& graph, std::span<const double> scores,
                                     const TargetSides& targets, std::span<const Symbol> words) {
  return ConstrainedViterbi(graph, scores, targets, words).best();
}

}  // namespace demotic::forest
