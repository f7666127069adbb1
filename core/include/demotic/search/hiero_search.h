// Hierarchical search (Chiang 2007): the source is parsed bottom up, and the +LM hypotheses of a
// nonterminal over a span compete in one bin, filled by cube pruning (Huang & Chiang 2007).
//
// A group is the bin N[i:j]: all hypotheses of one nonterminal over one span. A source side that
// matches a span, with the groups in its gaps, is an expansion: a grid of its options times the
// hypotheses of up to two tails, all best first. Built-in glue joins pieces from left to right,
// S -> X and S -> S X, over any span; hypotheses of S begin with <s>. Hypotheses of a group with
// equal language model states are recombined.
//
// Time is linear in the sentence's length at a fixed span limit; a sentence so long that its
// hypotheses would not fit is searched with a narrower beam, one with too many spans with a lower
// span limit. A sentence that the grammar does not derive is glued of pieces of any nonterminal.
// One object a thread; the result is valid until the next call, as long as the source is there.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "demotic/base/stop.h"
#include "demotic/search/best_first.h"
#include "demotic/search/chart_matcher.h"
#include "demotic/search/hiero_options.h"

namespace demotic::search {

// Its number is also that of its state of the language models.
struct HieroHypothesis {
  float score = 0;  // weights . features of the piece
  uint32_t option = kNone;
  std::array<uint32_t, kMaxGaps> tails{kNone, kNone};
  uint32_t arc = kNone;  // the last that was recombined into this one, if they are recorded
};

// Another way to reach a hypothesis, not better than its own.
struct HieroArc {
  uint32_t option;
  std::array<uint32_t, kMaxGaps> tails;
  uint32_t next;  // the one before
};

// N[i:j]: first the hypotheses that survived, best first; then, if recorded, the others.
struct HieroGroup {
  static constexpr int32_t kGlue = -1;  // the label of S

  int32_t label, begin, end;
  uint32_t first, alive, last;

  uint32_t count() const noexcept { return alive - first; }
};

class HieroSearch {
 public:
  HieroSearch(const HieroModel& model, std::span<const double> weights,
              const HieroSearchOptions& options);

  // New dense weights, and whatever the sparse ones are now: the same as a new search, but what
  // does not change with the weights is kept. Throws as check_weights does.
  void reweigh(std::span<const double> weights);
  // Choices of rules go to searches of other threads that have the same weights and limits, and
  // come from them; whoever changes weights clears them.
  void share(SharedChoices& choices) noexcept { options_.share(choices); }
  // `record`: keep what was recombined and what fell off the beam.
  void run(const SourceSentences& source, size_t sentence, bool record, const StopFlag& stop);

  int32_t length() const noexcept { return length_; }
  const SentenceWords& context() const noexcept { return context_; }
  // The group of the whole sentence, kNone if it is empty; its best hypothesis with the end of the
  // sentence.
  uint32_t root() const noexcept { return root_; }
  uint32_t best() const noexcept { return best_; }
  // Whether limits were lowered, or the grammar does not derive the sentence.
  bool fell_back() const noexcept { return fell_back_; }

  std::span<const HieroHypothesis> hypotheses() const noexcept { return hypotheses_; }
  std::span<const HieroArc> arcs() const noexcept { return arcs_; }
  std::span<const HieroGroup> groups() const noexcept { return groups_; }
  // The group of a hypothesis, by bisection.
  const HieroGroup& group_of(uint32_t hypothesis) const noexcept;
  const HieroOptions& options() const noexcept { return options_; }
  ChartLm& lm() noexcept { return options_.lm(); }
  SparseSums& sparse() noexcept { return options_.sparse(); }
  // Whether the group's pieces begin the sentence, <s> included.
  static bool started(const HieroGroup& group) noexcept { return group.label == HieroGroup::kGlue; }

 private:
  struct Expansion {
    HieroBlock options;
    std::array<uint32_t, kMaxGaps> tails;  // groups
  };
  // Its number is also that of its state among the candidates.
  struct Cell {
    uint32_t expansion = 0;
    std::array<uint32_t, 1 + kMaxGaps> at{};  // option, then hypotheses of the tails
    float score = 0, key = 0;
  };

  void limit_effort();
  void parse(const SourceSentences& source, const StopFlag& stop);
  void parse_span(const SourceSentences& source, int32_t begin, int32_t end);
  void add_copies(const SourceSentences& source, int32_t position, bool known);
  void add_unary(uint32_t group);
  bool joinable();
  void glue(bool nonterminal_only, const StopFlag& stop);
  void finish();

  // Makes the group of a label from its expansions.
  uint32_t fill(int32_t label, int32_t begin, int32_t end, std::vector<Expansion>& expansions);
  void fill_by_cubes(const std::vector<Expansion>& expansions);
  void fill_by_all(const std::vector<Expansion>& expansions);
  float bound(const Expansion& expansion) const noexcept;
  uint32_t size(const Expansion& expansion, int axis) const noexcept;
  void score(const std::vector<Expansion>& expansions, Cell& cell);
  void push(const std::vector<Expansion>& expansions, uint32_t expansion,
            std::array<uint32_t, 1 + kMaxGaps> at);
  void push_neighbours(const std::vector<Expansion>& expansions, Cell popped);
  bool add(const std::vector<Expansion>& expansions, const Cell& cell, uint32_t candidate);
  std::pair<uint32_t, bool> place_of(uint32_t candidate);
  void keep_best(HieroGroup& group);
  std::span<const int32_t> labels_of(ChartCell cell) const noexcept {
    return std::span(labels_).subspan(cell.first, cell.count);
  }
  ChartCell& cell(int32_t begin, int32_t end) noexcept {
    return cells_by_span_[size_t(begin) * span_limit_ + (end - begin - 1)];
  }

  const HieroModel& model_;
  const HieroSearchOptions limits_;
  float slack_;
  HieroOptions options_;
  ChartMatcher matcher_;

  // Of the sentence.
  SentenceWords context_{};
  int32_t length_ = 0, span_limit_ = 0, pop_limit_ = 0, beam_size_ = 0;
  bool record_ = false, fell_back_ = false;
  uint32_t root_ = kNone, best_ = kNone;
  std::vector<HieroHypothesis> hypotheses_;
  std::vector<HieroArc> arcs_;
  std::vector<HieroGroup> groups_;
  std::vector<int32_t> labels_;           // of the groups
  std::vector<ChartCell> cells_by_span_;  // of spans up to the limit
  std::vector<uint32_t> goal_groups_;     // [0, end) of the goal or of S, by end; kNone: none

  // Of the span being parsed: expansions by rank of their label.
  std::vector<std::vector<Expansion>> by_rank_;
  // Of the group being filled.
  bool closing_ = false, starting_ = false;  // the root; its pieces begin the sentence
  std::vector<HieroHypothesis> bin_;
  std::vector<float> totals_;             // of bin_
  std::vector<uint32_t> candidates_;      // of bin_: its states
  FlatMap<uint64_t, uint32_t> by_state_;  // place in bin_, by hash; on a clash the next number
  BestFirst seeds_;                       // expansions, by the guessed key of their first cell
  std::vector<Cell> cells_;
  BestFirst heap_;  // of cells
  std::vector<uint32_t> order_;
};

}  // namespace demotic::search
