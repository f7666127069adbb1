// The search of forced Hiero decoding (Zhao et al. 2014, section 3.2), bottom up. The space is that
// of HieroSearch without beam and rule limit. Glue of arbitrary nonterminals, to which HieroSearch
// falls back, is not part of it. An empty sentence has no derivation.
//
// Instead of boundary words with reference indices, items [label, i:j, p:q] have exact target
// spans, which is equivalent and simpler. A source side that matches a span, with groups of items
// in its gaps, is placed wherever its target words occur in the reference and the items in its gaps
// lie between them.
//
// A cap is hit by more items than the options allow or by 32 times as many edges, and by so many
// spans that HieroSearch would lower its span limit. Not thread-safe; use one instance per thread.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "demotic/base/stop.h"
#include "demotic/force/force_options.h"
#include "demotic/force/forced_rules.h"
#include "demotic/force/found_forest.h"
#include "demotic/force/rule_words.h"
#include "demotic/search/chart_matcher.h"

namespace demotic::force {

// Functions: see ForcedDecoder.
class HieroForcedSearch {
 public:
  // Throws ModelError if the model has more nonterminals than an item can name.
  HieroForcedSearch(const HieroModel& model, const ForceOptions& options);

  // False for sides of more than 65,535 words.
  bool begin(const SourceSentences& source, size_t sentence);
  Cause word_cause();
  bool run(const StopFlag& stop) { return parse(options_.span_limit, stop); }
  bool limited() const noexcept;
  bool run_unlimited(const StopFlag& stop) { return parse(0, stop); }
  bool reachable() const noexcept { return goal() != kNone; }
  FoundForest forest() const;
  bool has_uncovered_word() const;

 private:
  // An edge whose head does not exist yet, with the target span of that head.
  struct Placed {
    GoldEdge edge;
    uint16_t target_begin, target_end;
  };
  using Groups = std::array<uint32_t, kMaxGaps>;
  using Bound = uint16_t GoldNode::*;  // of a span

  // False if a cap is hit.
  bool parse(int32_t span_limit, const StopFlag& stop);
  void parse_span(int32_t begin, int32_t end);
  void add_copies(int32_t at);
  void add_unary(uint32_t group);
  void place(const ForcedRule& rule, const Groups& groups, int32_t begin, int32_t end);
  void place_from(const ForcedRule& rule, const Groups& groups, GoldEdge& edge, int32_t gaps,
                  int32_t begin, int32_t at);
  void glue(const StopFlag& stop);
  void glue_up_to(int32_t end);
  // Makes the items of a label from the placed edges: one per target span, in rising order.
  uint32_t close_group(int32_t label, int32_t begin, int32_t end, std::vector<Placed>& placed);
  uint32_t goal() const noexcept;
  bool full() const noexcept;
  // Whether the word has a rule of its own that the pair may use.
  bool has_own_rule(WordId word) const noexcept;
  void cover(const FoundEdge& one, Bound begin, Bound end, std::vector<uint8_t>& covered) const;

  const ReferenceIndex& reference() const noexcept { return rules_.reference(); }
  std::span<const GoldNode> items(uint32_t group) const noexcept {
    return std::span(nodes_).subspan(first_items_[group],
                                     first_items_[group + 1] - first_items_[group]);
  }
  uint32_t number(const GoldNode& item) const noexcept {
    return static_cast<uint32_t>(&item - nodes_.data());
  }
  ChartCell& cell(int32_t begin, int32_t end) noexcept {
    return cells_[size_t(begin) * span_limit_ + (end - begin - 1)];
  }

  const HieroModel& model_;
  const ForceOptions options_;
  ForcedRules rules_;
  RuleWords rule_words_;
  ChartMatcher matcher_;

  // Of the sentence.
  std::span<const WordId> words_;
  int32_t length_ = 0, span_limit_ = 0;
  std::vector<GoldNode> nodes_;
  std::vector<FoundEdge> edges_;       // by head
  std::vector<int32_t> labels_;        // of groups: the items of a label and a source span
  std::vector<uint32_t> first_items_;  // of groups, and of one more
  std::vector<ChartCell> cells_;       // groups of spans up to the limit
  std::vector<uint32_t> goal_groups_;  // [0, end) of the goal or of S, by end; kNone: none

  // Of the span being parsed: by rank of the head's label.
  std::vector<std::vector<Placed>> by_rank_;
  size_t placed_ = 0;
  std::vector<Placed> glued_;
  std::vector<uint64_t> order_;
};

}  // namespace demotic::force
