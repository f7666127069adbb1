#include "demotic/forest/ngram_forest.h"

#include <algorithm>
#include <array>
#include <compare>
#include <cstdint>
#include <numeric>

#include "demotic/forest/posteriors.h"
#include "demotic/forest/prune.h"

namespace demotic::forest {
namespace {

constexpr int32_t kOrder = NgramTable::kOrder;
constexpr int32_t kEnd = kOrder - 1;  // boundary words that an n-gram can reach
constexpr int32_t kNone = -1;         // no word
constexpr int32_t kOwn = -1;          // owner of the words of an edge itself

// What nodes are split by: boundary words, as far as something can be put beside them. A short
// yield is only on the right.
struct Ends {
  std::array<int32_t, kEnd> left{kNone, kNone, kNone}, right{kNone, kNone, kNone};
  bool whole = false;  // `right` is all of the yield

  friend auto operator<=>(const Ends&, const Ends&) = default;
};

struct TailWord {
  int32_t word;   // kNone for the unknown words inside or beside a tail
  int32_t owner;  // the tail that it belongs to, or kOwn
};

// Whether words can be put before and after the yields of a node.
struct Neighbours {
  bool left = false, right = false;
};

std::vector<Neighbours> find_neighbours(const HypergraphView& graph, const TargetSides& targets) {
  std::vector<Neighbours> found(graph.nodes());
  for (int32_t node = graph.root(); node >= 0; --node) {
    for (const int32_t edge : graph.incoming(node)) {
      const std::span<const Symbol> side = targets[edge];
      for (size_t i = 0; i < side.size(); ++i) {
        if (!is_gap(side[i])) continue;
        Neighbours& tail = found[graph.tails_of(edge)[gap_index(side[i])]];
        tail.left |= i > 0 || found[node].left;
        tail.right |= i + 1 < side.size() || found[node].right;
      }
    }
  }
  return found;
}

}  // namespace

int32_t NgramTable::add(int32_t prefix, int32_t word) {
  const auto [number, fresh] = extended_.insert(key(prefix, word));
  if (fresh) {
    number = size();
    words_.push_back(static_cast<uint8_t>(words_[prefix] + 1));
  }
  return number;
}

// Splits the nodes bottom-up.
class NgramSplitter {
 public:
  NgramSplitter(const HypergraphView& graph, const TargetSides& targets, int64_t max_edges,
                NgramForest& out)
      : graph_(graph),
        targets_(targets),
        max_edges_(max_edges),
        neighbours_(find_neighbours(graph, targets)),
        out_(out) {}

  void run(const StopFlag& stop) {
    for (int32_t node = 0; node < graph_.nodes(); ++node) {
      stop.check();
      first_.push_back(static_cast<int32_t>(ends_.size()));
      found_.clear();
      found_tails_.clear();
      for (const int32_t edge : graph_.incoming(node)) combine(node, edge);
      if (!out_.complete_) return;
      add_nodes();
    }
    if (first_.back() == static_cast<int32_t>(ends_.size())) out_.graph_.end_node();  // the root
  }

 private:
  struct Found {
    Ends ends;
    int32_t edge;
    size_t first_tail;  // in found_tails_
  };

  // Every combination of the splits of the edge's tails, like the digits of a counter.
  void combine(int32_t node, int32_t edge) {
    const std::span<const int32_t> tails = graph_.tails_of(edge);
    const auto begin = [&](size_t i) { return first_[tails[i]]; };
    const auto end = [&](size_t i) { return first_[tails[i] + 1]; };
    chosen_.resize(tails.size());
    for (size_t i = 0; i < tails.size(); ++i) {
      chosen_[i] = begin(i);
      if (begin(i) == end(i)) return;  // the tail has no derivation
    }
    size_t changed = 0;  // the digit that is counted up
    do {
      if (static_cast<int64_t>(found_.size() + out_.edges_.size()) >= max_edges_)
        out_.complete_ = false;
      if (!out_.complete_) return;
      lay_out(edge);
      found_.push_back({ends_of(neighbours_[node]), edge, found_tails_.size()});
      found_tails_.insert(found_tails_.end(), chosen_.begin(), chosen_.end());
      for (changed = 0; changed < tails.size() && ++chosen_[changed] == end(changed); ++changed)
        chosen_[changed] = begin(changed);
    } while (changed < tails.size());
  }

  // The words of the edge and the boundary words of its chosen tails, in order.
  void lay_out(int32_t edge) {
    places_.clear();
    for (const Symbol symbol : targets_[edge]) {
      if (!is_gap(symbol)) {
        places_.push_back({symbol, kOwn});
        continue;
      }
      const int32_t owner = gap_index(symbol);
      const Ends& tail = ends_[chosen_[owner]];
      for (const int32_t word : tail.left)
        if (word != kNone) places_.push_back({word, owner});
      if (!tail.whole) places_.push_back({kNone, owner});
      for (const int32_t word : tail.right)
        if (word != kNone) places_.push_back({word, owner});
    }
  }

  Ends ends_of(const Neighbours& neighbours) const {
    Ends ends;
    if (!neighbours.left && !neighbours.right) return ends;
    const auto unknown = [](const TailWord& place) { return place.word == kNone; };
    ends.whole = places_.size() <= kEnd && std::ranges::none_of(places_, unknown);
    const auto size = static_cast<int32_t>(places_.size());
    if (neighbours.left && !ends.whole)
      for (int32_t i = 0; i < std::min(size, kEnd) && !unknown(places_[i]); ++i)
        ends.left[i] = places_[i].word;
    if (neighbours.right || ends.whole)
      for (int32_t i = 0; i < std::min(size, kEnd) && !unknown(places_[size - 1 - i]); ++i)
        ends.right[kEnd - 1 - i] = places_[size - 1 - i].word;
    return ends;
  }

  // One node for all edges with the same boundary words.
  void add_nodes() {
    order_.resize(found_.size());
    std::iota(order_.begin(), order_.end(), 0);
    std::ranges::stable_sort(order_, {}, [&](int32_t i) -> const Ends& { return found_[i].ends; });
    for (size_t i = 0; i < order_.size(); ++i) {
      const Found& found = found_[order_[i]];
      add_edge(found);
      if (i + 1 < order_.size() && found_[order_[i + 1]].ends == found.ends) continue;
      out_.graph_.end_node();
      ends_.push_back(found.ends);
    }
  }

  void add_edge(const Found& found) {
    const auto tails = graph_.tails_of(found.edge);
    chosen_.assign(found_tails_.begin() + found.first_tail,
                   found_tails_.begin() + found.first_tail + tails.size());
    out_.graph_.tails.insert(out_.graph_.tails.end(), chosen_.begin(), chosen_.end());
    out_.graph_.end_edge();
    out_.edges_.push_back(found.edge);
    const auto side = targets_[found.edge];
    out_.words_.push_back(static_cast<int32_t>(
        std::ranges::count_if(side, [](Symbol symbol) { return !is_gap(symbol); })));
    lay_out(found.edge);
    add_ngrams();
  }

  // The n-grams that are not inside one tail.
  void add_ngrams() {
    for (size_t begin = 0; begin < places_.size(); ++begin) {
      const size_t end = std::min<size_t>(places_.size(), begin + kOrder);
      int32_t ngram = 0;
      bool own = places_[begin].owner == kOwn;
      for (size_t i = begin; i < end && places_[i].word != kNone; ++i) {
        own |= places_[i].owner != places_[begin].owner;
        ngram = out_.table_.add(ngram, places_[i].word);
        if (own) out_.ngrams_.values.push_back(ngram);
      }
    }
    out_.ngrams_.end_row();
  }

  HypergraphView graph_;
  TargetSides targets_;
  int64_t max_edges_;
  std::vector<Neighbours> neighbours_;
  NgramForest& out_;
  std::vector<int32_t> first_;  // by original node: its first new node
  std::vector<Ends> ends_;      // by new node
  std::vector<Found> found_;    // edges of the current node
  std::vector<int32_t> found_tails_, chosen_, order_;
  std::vector<TailWord> places_;
};

NgramForest::NgramForest(const HypergraphView& graph, const TargetSides& targets, int64_t max_edges,
                         const StopFlag& stop) {
  NgramSplitter(graph, targets, max_edges, *this).run(stop);
}

NgramForest NgramForest::pruned(const HypergraphView& graph, const TargetSides& targets,
                                std::span<const double> scores, double density, int64_t max_edges,
                                const StopFlag& stop) {
  for (;; density = std::min(density / 2, 512.0)) {
    const SubHypergraph part = prune(graph, scores, {.density = density});
    Csr<Symbol> sides;
    for (const int32_t edge : part.edges) {
      const auto side = targets[edge];
      sides.values.insert(sides.values.end(), side.begin(), side.end());
      sides.end_row();
    }
    // With one edge per edge of the best derivation nothing is left to be split.
    const bool smallest = density <= 1;
    NgramForest forest(part.graph, sides.view(), smallest ? INT64_MAX : max_edges, stop);
    if (!forest.complete()) continue;
    for (int32_t& edge : forest.edges_) edge = part.edges[edge];
    return forest;
  }
}

std::vector<double> NgramForest::expected_counts(std::span<const double> scores) const {
  std::vector<double> own(edges_.size()), counts(table_.size());
  std::ranges::transform(edges_, own.begin(), [&](int32_t edge) { return scores[edge]; });
  const std::vector<double> posteriors = edge_posteriors(graph_, own);
  for (size_t edge = 0; edge < edges_.size(); ++edge) {
    counts[0] += posteriors[edge] * words_[edge];
    for (const int32_t ngram : ngrams_[edge]) counts[ngram] += posteriors[edge];
  }
  return counts;
}

std::vector<double> NgramForest::edge_values(std::span<const double> values) const {
  std::vector<double> result(edges_.size());
  for (size_t edge = 0; edge < edges_.size(); ++edge) {
    result[edge] = values[0] * words_[edge];
    for (const int32_t ngram : ngrams_[edge]) result[edge] += values[ngram];
  }
  return result;
}

}  // namespace demotic::forest
