// Hierarchical search (Chiang 2007): the source is parsed bottom up, and the hypotheses of a
// nonterminal over a span compete in one bin N[i:j].
//
// A source side that matches a span, with the bins in its gaps, is an expansion: its translation
// options times the hypotheses of up to two tails. Built-in glue joins pieces from left to right,
// S -> X and S -> S X, over any span; hypotheses of S begin with <s>. Hypotheses of a bin with
// equal language model states are recombined.
//
// Time is linear in the length of the sentence at a fixed span limit. A sentence so long that its
// hypotheses would not fit is searched with a smaller beam, one with too many spans with a lower
// span limit. A sentence that the grammar does not derive is glued from pieces of any nonterminal.
// Not thread-safe; use one per thread. The result is valid until the next call, as long as the
// source is there.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "demotic/base/stop.h"
#include "demotic/search/bin_search.h"
#include "demotic/search/chart_matcher.h"
#include "demotic/search/hiero_translation_options.h"

namespace demotic::search {

// Its number is also that of its state of the language models.
struct HieroHypothesis {
  float score = 0;  // weights . features of the piece
  SearchEdge<kMaxGaps> edge;
  uint32_t recombined = kNone;  // the last edge that was recombined with it, if recorded
};

// N[i:j]; survivors stand best first.
struct HieroBin : Bin {
  static constexpr int32_t kGlue = -1;  // the label of S

  int32_t label = 0, begin = 0, end = 0;
};

class HieroSearch : public BinSearch<HieroSearch, HieroHypothesis, HieroBin, 1 + kMaxGaps> {
 public:
  HieroSearch(const HieroModel& model, std::span<const double> weights,
              const HieroSearchOptions& limits);

  // New dense weights; sparse ones are read anew. The same as a new search, but what does not
  // change with the weights is kept. Throws as check_weights does.
  void reweigh(std::span<const double> weights);
  // See RuleRanker::share.
  void share(SharedChoices& choices) noexcept { options_.share(choices); }
  // `record`: keep edges that were recombined and hypotheses that were pruned. It falls back if
  // limits were lowered or the grammar does not derive the sentence.
  void run(const SourceSentences& source, size_t sentence, bool record, const StopFlag& stop);

  // The bin of the whole sentence; kNone if it is empty.
  uint32_t goal_bin() const noexcept { return goal_bin_; }
  // What pruning compares: the score, of complete hypotheses with the end of the sentence.
  float total(uint32_t hypothesis) { return hypotheses_[hypothesis].score + future(hypothesis); }
  float future(uint32_t hypothesis);
  // What a record has for the goal: its bin, and where its edges begin.
  int32_t goal_number() const noexcept { return static_cast<int32_t>(bins_.size()); }
  int32_t goal_begin() const noexcept { return 0; }
  // A number of a bin that means the same in every search of the sentence, and the source words
  // that its hypotheses cover.
  int32_t bin_key(uint32_t bin) const noexcept {
    const int32_t places = length_ + 1;
    return 1 + ((bins_[bin].label + 1) * places + bins_[bin].begin) * places + bins_[bin].end;
  }
  int32_t covered(uint32_t bin) const noexcept { return bins_[bin].end - bins_[bin].begin; }
  static bool is_start(uint32_t tail) noexcept { return tail == kNone; }
  const HieroTranslationOptions& options() const noexcept { return options_; }
  ChartLm& lm() noexcept { return options_.lm(); }
  SparseSums& sparse() noexcept { return options_.sparse(); }
  // Whether the bin's pieces begin the sentence, <s> included.
  static bool started(const HieroBin& bin) noexcept { return bin.label == HieroBin::kGlue; }

 private:
  using Base = BinSearch<HieroSearch, HieroHypothesis, HieroBin, 1 + kMaxGaps>;
  friend Base;

  struct Expansion {
    HieroBlock options;
    std::array<uint32_t, kMaxGaps> tails;  // bins
  };

  void set_weights(std::span<const double> weights);
  void limit_effort();
  void parse(const SourceSentences& source, const StopFlag& stop);
  void parse_span(const SourceSentences& source, int32_t begin, int32_t end);
  void add_copies(const SourceSentences& source, int32_t position, bool known);
  void add_unary(uint32_t bin);
  bool joinable();
  void glue(bool nonterminal_only, const StopFlag& stop);
  void finish();

  // Makes the bin of a label from its expansions, which it takes.
  uint32_t fill_bin(int32_t label, int32_t begin, int32_t end, std::vector<Expansion>& expansions);
  float bound(const Expansion& expansion) const noexcept;

  // For BinSearch. Axes: translation options, hypotheses of the tails. The state of a cell is the
  // number of its language model state among the candidates of the bin.
  uint32_t axis_size(uint32_t expansion, size_t axis) const noexcept {
    const Expansion& one = (*expansions_)[expansion];
    if (axis == 0) return one.options.count;
    return one.tails[axis - 1] == kNone ? 1 : bins_[one.tails[axis - 1]].count();
  }
  void score(Cell& cell);
  HieroHypothesis hypothesis_of(const Cell& cell) const noexcept;
  std::pair<uint32_t&, bool> equal_to(const Cell& cell, const HieroHypothesis& made);
  void discard(const Cell&) { lm().drop_candidate(); }
  static uint32_t group_of(const HieroHypothesis&) noexcept { return 0; }
  void keep(const HieroHypothesis&, uint32_t state, bool) { lm().keep(state); }

  std::span<const int32_t> labels_of(ChartCell cell) const noexcept {
    return std::span(labels_).subspan(cell.first, cell.count);
  }
  ChartCell& cell(int32_t begin, int32_t end) noexcept {
    return cells_by_span_[size_t(begin) * span_limit_ + (end - begin - 1)];
  }

  const HieroModel& model_;
  const HieroSearchOptions limits_;
  float slack_ = 0;
  HieroTranslationOptions options_;
  ChartMatcher matcher_;

  // Of the sentence.
  int32_t span_limit_ = 0, pop_limit_ = 0, beam_size_ = 0;
  uint32_t goal_bin_ = kNone;
  std::vector<int32_t> labels_;           // of the bins
  std::vector<ChartCell> cells_by_span_;  // of spans up to the limit
  std::vector<uint32_t> goal_bins_;       // [0, end) of the goal or of S, by end; kNone: none

  // Of the span being parsed: expansions by rank of their label.
  std::vector<std::vector<Expansion>> by_rank_;
  // Of the bin being filled.
  bool closing_ = false, starting_ = false;  // the goal; its pieces begin the sentence
  const std::vector<Expansion>* expansions_ = nullptr;
  FlatMap<uint64_t, uint32_t> by_state_;  // place in the bin, by hash; on a clash the next number
  BestFirst seeds_;                       // expansions, by the estimated key of their first cell
};

}  // namespace demotic::search
