// Exact forced search for Hiero (Zhao et al. 2014, section 3.2): all derivations of a sentence
// that say its reference. The space is that of HieroSearch without limits of beam and rules.
//
// Instead of boundary words with reference indices, items [label, i:j, p:q] have exact target
// spans, which is the same and simpler. A source side that matches a span, with groups of items in
// its gaps, is placed wherever the words of its target side agree with the reference and the items
// in its gaps begin and end there. Bottom up; then only what the goal reaches is kept.
//
// Rules that were seen in this pair alone are left out if its number is known; a word that has no
// other rules is then copied. What HieroSearch falls back to, glue of any nonterminal, is not part
// of the space. There are no beginnings. An empty sentence is not reached: it has no derivation.
//
// Undecided if there are more items than the options allow, or some times that of edges, if there
// are so many spans that HieroSearch would lower its limit, or more words than an item can name.
//
// One object a thread; what it has is used again.
#pragma once

#include <span>
#include <vector>

#include "demotic/base/stop.h"
#include "demotic/force/forced_rules.h"
#include "demotic/force/forced_search.h"
#include "demotic/search/chart_matcher.h"

namespace demotic::force {

class HieroForce {
 public:
  // Throws ModelError if the model has more nonterminals than an item can name.
  HieroForce(const HieroModel& model, const ForceOptions& options);

  // `source` has references.
  ForcedResult run(const SourceSentences& source, size_t sentence, const StopFlag& stop);

 private:
  // An edge whose head is not yet made: it has this target span.
  struct Placed {
    GoldEdge edge;
    uint16_t target_begin, target_end;
  };
  using Tails = std::array<uint32_t, kMaxGaps>;  // groups, or nodes

  // False if a limit is hit.
  bool parse(int32_t span_limit, const StopFlag& stop);
  void parse_span(int32_t begin, int32_t end);
  void add_copies(int32_t at);
  void add_unary(uint32_t group);
  void place(const ForcedRule& rule, const Tails& groups, int32_t begin, int32_t end);
  void place_around_one(const ForcedRule& rule, const Tails& groups, GoldEdge edge);
  void place_around_two(const ForcedRule& rule, const Tails& groups, GoldEdge edge);
  void glue(const StopFlag& stop);
  void glue_up_to(int32_t end);
  // Makes the items of a label from what was placed: one for each target span, in rising order.
  uint32_t close_group(int32_t label, int32_t begin, int32_t end, std::vector<Placed>& placed);
  uint32_t goal() const noexcept;
  bool full() const noexcept;
  FoundForest forest(uint32_t goal);

  // A word that cannot be derived at all, or kNone; cheap.
  Cause hopeless();
  Cause cause(const StopFlag& stop);
  bool has_unknown_word();
  bool has_uncovered_word();
  void find_only_pairs();

  std::span<const GoldNode> items(uint32_t group) const noexcept {
    return std::span(nodes_).subspan(first_items_[group],
                                     first_items_[group + 1] - first_items_[group]);
  }
  ChartCell& cell(int32_t begin, int32_t end) noexcept {
    return cells_[size_t(begin) * span_limit_ + (end - begin - 1)];
  }

  const HieroModel& model_;
  const ForceOptions options_;
  ChartMatcher matcher_;
  ForcedRules rules_;

  // Of the sentence.
  std::span<const WordId> words_, reference_;
  int32_t pair_ = -1, length_ = 0, span_limit_ = 0;
  std::vector<GoldNode> nodes_;
  std::vector<uint32_t> edge_offsets_;
  std::vector<GoldEdge> edges_;
  std::vector<int32_t> labels_;        // of groups: the items of a label and a source span
  std::vector<uint32_t> first_items_;  // of groups, and of one more
  std::vector<ChartCell> cells_;       // groups of spans up to the limit
  std::vector<uint32_t> goal_groups_;  // [0, end) of the goal or of S, by end; kNone: none

  // Of the span being parsed: by rank of the head's label.
  std::vector<std::vector<Placed>> by_rank_;
  size_t placed_ = 0;
  std::vector<Placed> glued_;
  std::vector<uint64_t> order_;
  std::vector<uint32_t> numbers_;    // of nodes that are kept
  std::vector<uint8_t> covered_;     // words of both sides
  std::vector<int32_t> only_pairs_;  // by word, see find_only_pairs
  std::vector<bool> said_;           // by word: whether some rule says it
};

}  // namespace demotic::force
