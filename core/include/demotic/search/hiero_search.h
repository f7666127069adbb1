// Hierarchical search (Chiang 2007): the source is parsed bottom-up, and the hypotheses of a
// nonterminal over a span compete in one bin N[i:j].
//
// A source side that matches a span, together with the bins in its gaps, is an expansion: its
// translation options times the hypotheses of up to two tails. Built-in glue joins constituents
// from left to right (S -> X and S -> S X) over any span; hypotheses of S begin with <s>.
// Hypotheses of a bin with equal language model states are recombined.
//
// Time is linear in the length of the sentence at a fixed span limit. The beam is reduced for
// sentences whose hypotheses would not fit into memory, and the span limit for sentences with too
// many spans. A sentence that the grammar does not derive is glued from constituents of any
// nonterminal. Not thread-safe; use one instance per thread. The result is valid until the next
// call, as long as the source exists.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "demotic/base/stop.h"
#include "demotic/search/bin_search.h"
#include "demotic/search/chart_matcher.h"
#include "demotic/search/gap_scores.h"
#include "demotic/search/hiero_translation_options.h"

namespace demotic::search {

// The index of a hypothesis is also that of its language model state.
struct HieroHypothesis {
  float score = 0;  // weights . features of the partial derivation
  SearchEdge<kMaxGaps> edge;
  uint32_t recombined = kNone;  // last edge recombined with it, if recorded
};

// The bin N[i:j]; survivors are sorted best first.
struct HieroBin : Bin {
  static constexpr int32_t kGlue = -1;  // the label of S

  int32_t label = 0, begin = 0, end = 0;
};

class HieroSearch : public BinSearch<HieroSearch, HieroHypothesis, HieroBin, 1 + kMaxGaps> {
 public:
  HieroSearch(const HieroModel& model, std::span<const double> weights,
              const HieroSearchOptions& limits);

  // Changes the dense weights and reads the sparse ones again. Equivalent to a new search, but
  // keeps what does not depend on the weights. Throws as check_weights does.
  void reweigh(std::span<const double> weights);
  // See RuleRanker::share.
  void share(SharedChoices& choices) noexcept { options_.share(choices); }
  // `record`: keep recombined edges and pruned hypotheses. Falls back if limits were lowered or the
  // grammar does not derive the sentence.
  void run(const SourceSentences& source, size_t sentence, bool record, const StopFlag& stop);

  // The bin of the whole sentence; kNone if it is empty.
  uint32_t goal_bin() const noexcept { return goal_bin_; }
  // The score that pruning compares; for complete hypotheses it includes the end of the sentence.
  float total(uint32_t hypothesis) { return hypotheses_[hypothesis].score + future(hypothesis); }
  float future(uint32_t hypothesis);
  // The goal in a record: its bin, and where its edges begin.
  int32_t goal_number() const noexcept { return static_cast<int32_t>(bins_.size()); }
  int32_t goal_begin() const noexcept { return 0; }
  // A key of a bin that is stable across searches of the sentence, and the number of source words
  // that its hypotheses cover.
  int32_t bin_key(uint32_t bin) const noexcept {
    const int32_t places = length_ + 1;
    return 1 + ((bins_[bin].label + 1) * places + bins_[bin].begin) * places + bins_[bin].end;
  }
  int32_t covered(uint32_t bin) const noexcept { return bins_[bin].end - bins_[bin].begin; }
  static bool is_start(uint32_t tail) noexcept { return tail == kNone; }
  const HieroTranslationOptions& options() const noexcept { return options_; }
  // The weighted features of the gaps of a prepared option; 0 if the model has none.
  float gap_score(const HieroTranslationOption& option, const GapSizes& sizes) const noexcept;
  // Source words under the tails of an edge; zeros if the model has no features of gaps.
  GapSizes gap_sizes(const Edge& edge) const noexcept;
  ChartLm& lm() noexcept { return options_.lm(); }
  SparseSums& sparse() noexcept { return options_.sparse(); }
  // Whether the bin's hypotheses begin the sentence, including <s>.
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
  bool add_blocks(TrieNode node, const std::array<uint32_t, kMaxGaps>& tails, WordSpan span);
  bool fulfils(RuleId rule);
  void add_given(const SourceSentences& source, WordSpan span);
  void add_copies(const SourceSentences& source, int32_t position, bool known);
  void add_unary(uint32_t bin);
  bool joinable();
  void glue(bool nonterminal_only, const StopFlag& stop);
  void finish();

  // Fills the bin of a label from its expansions and clears them.
  uint32_t fill_bin(int32_t label, int32_t begin, int32_t end, std::vector<Expansion>& expansions);
  float bound(const Expansion& expansion) const noexcept;
  GapSizes gap_sizes(const Expansion& expansion) const noexcept;

  // For BinSearch. Axes: translation options, hypotheses of the tails. The state of a cell is the
  // index of its language model state among the candidates of the bin.
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
    return cells_by_span_[size_t(begin) * cell_limit_ + (end - begin - 1)];
  }

  const HieroModel& model_;
  const HieroSearchOptions limits_;
  float slack_ = 0;
  const bool has_gap_features_;
  GapScores gap_scores_;  // if it has such features
  HieroTranslationOptions options_;
  ChartMatcher matcher_;

  // The current sentence.
  int32_t span_limit_ = 0, pop_limit_ = 0, beam_size_ = 0;
  int32_t cell_limit_ = 0;  // the span limit, or the longest span with given options
  TargetChecks checks_;
  std::vector<Symbol> target_;
  uint32_t goal_bin_ = kNone;
  std::vector<int32_t> labels_;           // nonterminal of each bin
  std::vector<ChartCell> cells_by_span_;  // for spans up to the limit
  std::vector<uint32_t> goal_bins_;       // by end: bin of the goal or of S over [0, end), or kNone

  // Expansions of the span being parsed, by rank of their label.
  std::vector<std::vector<Expansion>> by_rank_;
  // The bin being filled.
  bool completing_ = false, starting_ = false;  // is the goal; begins the sentence
  float span_score_ = 0;                        // sparse features of its span; glue has none
  const std::vector<Expansion>* expansions_ = nullptr;
  // Position in the bin by hash of the state; on a collision the next number.
  FlatMap<uint64_t, uint32_t> by_state_;
  BestFirst seeds_;  // expansions, by the estimated key of their first cell
};

}  // namespace demotic::search
