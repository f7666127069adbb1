// Beam search over bins: the part that phrase and Hiero search share. Hypotheses compete in bins. A
// bin is filled in three steps:
//
//   propose     candidates for the bin, best first by cube pruning (Huang & Chiang 2007), or all;
//   recombine   candidates with equal futures, keeping the better one as representative;
//   prune       the rest to the beam.
//
// Candidates come from expansions: grids whose axes are lists of translation options and of the
// hypotheses they extend, each sorted best first. A cell of a grid is a candidate. Its score is
// computed on demand and mostly decreases along each axis.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "demotic/features/dense_features.h"
#include "demotic/search/best_first.h"
#include "demotic/search/search_model.h"

namespace demotic::search {

// How a hypothesis was built: a translation option applied to hypotheses.
template <size_t kCount>
struct SearchEdge {
  static constexpr size_t kTails = kCount;

  uint32_t option = kNone;
  std::array<uint32_t, kCount> tails = [] {
    std::array<uint32_t, kCount> none;
    none.fill(kNone);
    return none;
  }();
};

// Hypotheses of a bin: first the survivors, then the pruned ones if the search is recorded.
struct Bin {
  uint32_t first = 0, alive = 0, last = 0;

  uint32_t count() const noexcept { return alive - first; }
};

// Each expansion is queued by an estimate of its first cell, with every phrase scored without
// language model context. Context can make the cell better than that, so an expansion is scored as
// soon as its estimate plus this slack is competitive: `nats` per language model, weighted.
inline float seed_slack(const DenseLayout& features, std::span<const double> weights, double nats) {
  double sum = 0;
  for (int32_t i = 0; i < features.language_models(); ++i)
    sum += std::fabs(weights[features.language_model(i)]);
  return static_cast<float>(nats * sum);
}

// `Search` is the derived class and has
//
//   uint32_t axis_size(uint32_t expansion, size_t axis);
//   void score(Cell&);                                 // fills in score, key and state
//   Hypothesis hypothesis_of(const Cell&);
//   std::pair<uint32_t&, bool> equal_to(const Cell&, const Hypothesis&);
//                                                      // position in the bin, and whether it is
//                                                      new
//   void discard(const Cell&);                         // the last scored cell was recombined
//   uint32_t group_of(const Hypothesis&);              // survivors are sorted by it, then by key
//   void keep(const Hypothesis&, uint32_t state, bool alive);  // becomes the next hypothesis
//
// Hypotheses have the fields score, edge and recombined.
template <typename Search, typename HypothesisType, typename BinType, size_t kAxes>
class BinSearch {
 public:
  using Hypothesis = HypothesisType;
  using Edge = decltype(Hypothesis::edge);
  // An edge whose hypothesis was recombined with a better one.
  struct RecombinedEdge {
    Edge edge;
    uint32_t next;  // the previous one, or kNone
    float score;    // of the hypothesis it would have made
  };

  int32_t length() const noexcept { return length_; }
  const SentenceWords& context() const noexcept { return context_; }
  // Null if the sentence has none.
  const SentenceConstraints* constraints() const noexcept { return constraints_; }
  std::span<const Hypothesis> hypotheses() const noexcept { return hypotheses_; }
  std::span<const RecombinedEdge> recombined() const noexcept { return recombined_; }
  std::span<const BinType> bins() const noexcept { return bins_; }
  // The bin of a hypothesis, by binary search.
  const BinType& bin_of(uint32_t hypothesis) const noexcept {
    return *(std::ranges::upper_bound(bins_, hypothesis, {}, &BinType::first) - 1);
  }
  // The best complete hypothesis, or kNone.
  uint32_t best() const noexcept { return best_; }
  // Whether the sentence was decoded with reduced limits.
  bool fell_back() const noexcept { return fell_back_; }

  // Calls visit(edge) for each edge of a hypothesis: the best one first, then the recombined ones
  // in the order in which they were proposed.
  template <typename Visit>
  void for_each_edge(const Hypothesis& hypothesis, Visit&& visit) const {
    visit(hypothesis.edge);
    std::vector<uint32_t> others;
    for (uint32_t i = hypothesis.recombined; i != kNone; i = recombined_[i].next)
      others.push_back(i);
    for (auto i = others.rbegin(); i != others.rend(); ++i) visit(recombined_[*i].edge);
  }

 protected:
  struct Cell {
    float key = 0;  // candidates are compared by this
    float score = 0;
    uint32_t expansion = 0, state = 0;
    std::array<uint32_t, kAxes> at{};
  };

  void begin_sentence(const SourceSentences& source, size_t sentence, bool record) {
    context_ = source.context(sentence);
    constraints_ = source.constraints(sentence);
    length_ = static_cast<int32_t>(context_.words.size());
    record_ = record;
    fell_back_ = false;
    best_ = kNone;
  }
  void clear_search() noexcept {
    hypotheses_.clear();
    recombined_.clear();
    bins_.clear();
  }

  // Each cell is reached from exactly one other cell: one step along an axis, with all later axes
  // at 0.
  void propose_by_cubes(BestFirst& seeds, int32_t pop_limit) {
    seeds.arrange();
    cells_.clear();
    heap_.clear();
    for (int32_t pops = 0; pops < pop_limit;) {
      if (!seeds.empty() && seeds.best_key() >= heap_.best_key()) {
        push(seeds.pop(), {});
        continue;
      }
      if (heap_.empty()) break;
      const uint32_t number = heap_.pop();
      recombine(cells_[number]);
      if (++pops < pop_limit) push_neighbours(number);
    }
  }

  void propose_all(uint32_t expansions) {
    Cell cell;
    for (cell.expansion = 0; cell.expansion < expansions; ++cell.expansion) {
      cell.at.fill(0);
      do {
        search().score(cell);
        if (!recombine(cell)) search().discard(cell);
      } while (next_cell(cell));
    }
  }

  // Moves the proposals of the bin to the hypotheses and clears them: the best `beam_size` that are
  // at most `threshold` below the best (0: no threshold), and the pruned ones if the search is
  // recorded.
  Bin prune(int32_t beam_size, float threshold) {
    const auto better = [&](uint32_t a, uint32_t b) {
      return bin_[a].key != bin_[b].key ? bin_[a].key > bin_[b].key : a < b;
    };
    order_.resize(bin_.size());
    for (uint32_t i = 0; i < order_.size(); ++i) order_[i] = i;
    auto alive = order_.end();
    if (order_.size() > static_cast<size_t>(beam_size)) {
      alive = order_.begin() + beam_size;
      std::nth_element(order_.begin(), alive, order_.end(), better);
    }
    if (threshold > 0 && alive != order_.begin()) {
      const float lowest = bin_[*std::min_element(order_.begin(), alive, better)].key - threshold;
      alive =
          std::partition(order_.begin(), alive, [&](uint32_t i) { return bin_[i].key >= lowest; });
    }
    sort_by_group(order_.begin(), alive);
    if (record_) std::sort(alive, order_.end());
    Bin bin{.first = static_cast<uint32_t>(hypotheses_.size())};
    bin.alive = bin.first + static_cast<uint32_t>(alive - order_.begin());
    for (auto it = order_.begin(); it != (record_ ? order_.end() : alive); ++it) {
      search().keep(bin_[*it].hypothesis, bin_[*it].state, it < alive);
      hypotheses_.push_back(bin_[*it].hypothesis);
    }
    bin.last = static_cast<uint32_t>(hypotheses_.size());
    bin_.clear();
    return bin;
  }

  // The current sentence.
  SentenceWords context_{};
  const SentenceConstraints* constraints_ = nullptr;
  int32_t length_ = 0;
  bool record_ = false, fell_back_ = false;
  uint32_t best_ = kNone;
  std::vector<Hypothesis> hypotheses_;
  std::vector<RecombinedEdge> recombined_;
  std::vector<BinType> bins_;

  // A candidate of the bin being filled.
  struct Proposal {
    Hypothesis hypothesis;
    float key;
    uint32_t state;
  };
  std::vector<Proposal> bin_;

 private:
  Search& search() noexcept { return static_cast<Search&>(*this); }

  void push_neighbours(uint32_t number) {
    const auto [expansion, at] = std::pair(cells_[number].expansion, cells_[number].at);
    for (size_t axis = kAxes; axis-- > 0;) {
      std::array<uint32_t, kAxes> next;
      for (size_t i = 0; i < kAxes; ++i) next[i] = at[i] + (i == axis);
      if (next[axis] < search().axis_size(expansion, axis)) push(expansion, next);
      if (at[axis] > 0) break;
    }
  }

  // Constructs the cell in place: copying a freshly written cell causes a store-forwarding stall.
  void push(uint32_t expansion, const std::array<uint32_t, kAxes>& at) {
    Cell& cell = cells_.emplace_back();
    cell.expansion = expansion;
    for (size_t i = 0; i < kAxes; ++i) cell.at[i] = at[i];
    search().score(cell);
    heap_.push(cell.key, static_cast<uint32_t>(cells_.size() - 1));
  }

  // By group, then by descending key, then in the order of the proposals. The keys are packed
  // first: comparisons of proposals by their numbers would miss the cache.
  void sort_by_group(std::vector<uint32_t>::iterator begin, std::vector<uint32_t>::iterator end) {
    ranks_.clear();
    for (auto it = begin; it != end; ++it) {
      const uint64_t group = search().group_of(bin_[*it].hypothesis);
      ranks_.push_back({group << 32 | ~ordered_bits(bin_[*it].key), *it});
    }
    std::sort(ranks_.begin(), ranks_.end());
    for (const auto& [rank, number] : ranks_) *begin++ = number;
  }

  // The last axis varies fastest. Returns false after the last cell.
  bool next_cell(Cell& cell) {
    for (size_t axis = kAxes; axis-- > 0;) {
      if (++cell.at[axis] < search().axis_size(cell.expansion, axis)) return true;
      cell.at[axis] = 0;
    }
    return false;
  }

  // Adds a candidate to the bin, or to the hypothesis in it with the same future. Returns whether
  // it is a new hypothesis.
  bool recombine(const Cell& cell) {
    const Hypothesis made = search().hypothesis_of(cell);
    const auto [place, fresh] = search().equal_to(cell, made);
    if (fresh) {
      place = static_cast<uint32_t>(bin_.size());
      bin_.push_back({made, cell.key, cell.state});
      return true;
    }
    Proposal& old = bin_[place];
    const bool better = cell.key > old.key;
    const uint32_t others = old.hypothesis.recombined;
    if (record_) {
      const Hypothesis& worse = better ? old.hypothesis : made;
      recombined_.push_back({worse.edge, others, worse.score});
    }
    if (better) old.hypothesis = made, old.key = cell.key;
    if (record_) old.hypothesis.recombined = static_cast<uint32_t>(recombined_.size() - 1);
    return false;
  }

  std::vector<Cell> cells_;
  BestFirst heap_;  // indices of cells
  std::vector<uint32_t> order_;
  std::vector<std::pair<uint64_t, uint32_t>> ranks_;
};

}  // namespace demotic::search
