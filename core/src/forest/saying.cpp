#include "demotic/forest/saying.h"

#include <algorithm>
#include <cmath>

#include "demotic/forest/derivations.h"

namespace demotic::forest {
namespace {

// A node that yields words[begin:end] by its best derivation.
struct Piece {
  int32_t begin, end;
  double score;
  int32_t edge;
  int32_t tails;  // offset of the pieces of the edge's tails
};

class Saying {
 public:
  Saying(const HypergraphView& graph, std::span<const double> scores, const TargetSides& targets,
         std::span<const Symbol> words)
      : graph_(graph), scores_(scores), targets_(targets), words_(words) {}

  std::vector<int32_t> best() {
    offsets_.push_back(0);
    for (int32_t node = 0; node < graph_.nodes(); ++node) add(node);
    std::vector<int32_t> edges;
    const auto length = static_cast<int32_t>(words_.size());
    for (int32_t i = offsets_[graph_.root()]; i < offsets_[graph_.root() + 1]; ++i)
      if (pieces_[i].begin == 0 && pieces_[i].end == length)
        unfold(
            graph_, i, [&](int32_t piece) { return pieces_[piece].edge; },
            [&](int32_t piece, int32_t, int32_t tail) {
              return tails_[pieces_[piece].tails + tail];
            },
            edges);
    return edges;
  }

 private:
  void add(int32_t node) {
    found_.clear();
    for (const int32_t edge : graph_.incoming(node)) {
      if (scores_[edge] == -INFINITY || !says_all_tails(edge)) continue;
      edge_ = edge;
      chosen_.assign(graph_.arity(edge), 0);
      for (int32_t begin = 0; begin <= static_cast<int32_t>(words_.size()); ++begin)
        match(begin, 0, begin, scores_[edge]);
    }
    // Sorted by position, so that a gap finds the pieces that begin there.
    std::ranges::stable_sort(found_, {},
                             [](const Piece& one) { return std::pair(one.begin, one.end); });
    pieces_.insert(pieces_.end(), found_.begin(), found_.end());
    offsets_.push_back(static_cast<int32_t>(pieces_.size()));
  }

  bool says_all_tails(int32_t edge) const {
    return std::ranges::count_if(targets_[edge], [](Symbol s) { return is_gap(s); }) ==
           graph_.arity(edge);
  }

  void match(int32_t begin, size_t symbol, int32_t place, double score) {
    const auto side = targets_[edge_];
    if (symbol == side.size()) {
      keep(begin, place, score);
    } else if (!is_gap(side[symbol])) {
      if (place < static_cast<int32_t>(words_.size()) && words_[place] == side[symbol])
        match(begin, symbol + 1, place + 1, score);
    } else {
      const int32_t tail = gap_index(side[symbol]);
      const int32_t node = graph_.tails_of(edge_)[tail];
      const auto first = pieces_.begin() + offsets_[node],
                 last = pieces_.begin() + offsets_[node + 1];
      const auto from =
          std::partition_point(first, last, [&](const Piece& one) { return one.begin < place; });
      const auto here = static_cast<int32_t>(from - pieces_.begin());
      for (int32_t i = here; i < offsets_[node + 1] && pieces_[i].begin == place; ++i) {
        chosen_[tail] = i;
        match(begin, symbol + 1, pieces_[i].end, score + pieces_[i].score);
      }
    }
  }

  void keep(int32_t begin, int32_t end, double score) {
    auto known = std::ranges::find_if(
        found_, [&](const Piece& one) { return one.begin == begin && one.end == end; });
    if (known != found_.end() && known->score >= score) return;
    if (known == found_.end()) known = found_.insert(known, Piece{});
    *known = {begin, end, score, edge_, static_cast<int32_t>(tails_.size())};
    tails_.insert(tails_.end(), chosen_.begin(), chosen_.end());
  }

  const HypergraphView& graph_;
  const std::span<const double> scores_;
  const TargetSides& targets_;
  const std::span<const Symbol> words_;
  std::vector<int32_t> offsets_;  // by node
  std::vector<Piece> pieces_;
  std::vector<int32_t> tails_;
  // Of the current node, and of the current edge.
  std::vector<Piece> found_;
  int32_t edge_ = 0;
  std::vector<int32_t> chosen_;
};

}  // namespace

std::vector<int32_t> best_saying(const HypergraphView& graph, std::span<const double> scores,
                                 const TargetSides& targets, std::span<const Symbol> words) {
  return Saying(graph, scores, targets, words).best();
}

}  // namespace demotic::forest
