// The parts of a model that only chart search needs: its nonterminals and its glue grammar.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "demotic/search/search_model.h"

namespace demotic::search {

// Settings that belong to the grammar; see HieroSearchOptions for those of the search.
struct HieroGrammar {
  std::string nonterminal = "X";  // of copied words and of the constituents that glue joins
  std::string goal;               // root label; if empty, S -> X and S -> S X are built in
  bool pass_through_all = false;  // also allow copying known words
};

// Source words under each gap of an applied rule, in source order; 0 beyond its last gap.
using GapSizes = std::array<int32_t, kMaxGaps>;

class HieroModel : public SearchModel {
 public:
  // Throws ModelError if no rule has the goal or the nonterminal that glue joins, or if there are
  // joint sparse features. A grammar with a goal need not have the nonterminal; copied words then
  // have a label of their own. With `distortion` it has the feature StructuralDistortion, with
  // `given` the feature Given.
  HieroModel(RuleStore rules, std::vector<LanguageModel> language_models, Vocabulary vocabulary,
             HieroGrammar grammar, Sparse sparse = {}, bool unknown_phrase_penalty = false,
             const std::optional<DistortionCounts>& distortion = {}, bool given = false);

  int32_t nonterminal() const noexcept { return nonterminal_; }
  bool builtin_glue() const noexcept { return goal_ < 0; }
  int32_t goal() const noexcept { return goal_; }
  bool pass_through_all() const noexcept { return pass_through_all_; }
  int32_t labels() const noexcept { return static_cast<int32_t>(order_.size()); }

  // Labels in an order in which the tail of a unary rule X -> Y comes before its head. Cycles are
  // broken by ignoring some unary rules; which ones depends only on the order of the labels.
  const std::vector<int32_t>& label_order() const noexcept { return order_; }
  int32_t rank(int32_t label) const noexcept { return ranks_[label]; }

  const GapReordering& reordering() const noexcept { return reordering_; }
  // Whether there are features of gaps, so that search has to know which ones are reordered.
  bool has_gap_features() const noexcept {
    return features().any<FilledGap>() || has_sparse_gaps();
  }
  bool has_sparse_gaps() const noexcept { return sparse() && sparse().features->has_gaps(); }
  // The sum of the weights of the sparse features of a gap.
  double sparse_gap_value(bool reordered, int32_t size) const {
    std::vector<FeatureKey> keys;
    sparse().features->add_gap_keys(reordered, size, keys);
    return double{sparse().weights->sum(keys)};
  }

  // Calls visit(FilledGap) for each gap of an applied rule. Copied words and built-in glue have no
  // gaps in this sense.
  template <typename Visit>
  void for_each_gap(RuleId rule, const GapSizes& sizes, Visit&& visit) const {
    if (!is_stored(rule)) return;
    const uint8_t reordered = rules().reordered_gaps(rule);
    for (int32_t k = 0; k < kMaxGaps && sizes[k] > 0; ++k)
      visit(FilledGap{(reordered >> k & 1) != 0, std::min(sizes[k], kMaxGapSize), reordering_});
  }
  // Calls visit(feature, value) for the dense features of an applied rule or a special step: those
  // of for_each_rule_feature and those of its gaps. `sizes` is not read without gap features.
  template <typename Visit>
  void for_each_step_feature(RuleId rule, const GapSizes& sizes, Visit&& visit) const {
    for_each_rule_feature(rule, target_words(rule), visit);
    if (!has_gap_features()) return;
    for_each_gap(rule, sizes, [&](const FilledGap& gap) { features().for_each_value(gap, visit); });
  }
  double step_score(RuleId rule, const GapSizes& sizes, std::span<const double> weights) const {
    double sum = 0;
    for_each_step_feature(rule, sizes,
                          [&](int32_t feature, double value) { sum += weights[feature] * value; });
    return sum;
  }
  void add_step_features(RuleId rule, const GapSizes& sizes, std::span<double> values) const {
    for_each_step_feature(rule, sizes,
                          [&](int32_t feature, double value) { values[feature] += value; });
  }

 private:
  int32_t nonterminal_, goal_;
  bool pass_through_all_;
  GapReordering reordering_;
  std::vector<int32_t> order_, ranks_;
};

// Declared for users in src/demotic/search/options.py.
struct HieroSearchOptions {
  int32_t beam_size = 200;   // hypotheses kept per bin
  int32_t pop_limit = 400;   // cube-pruning pop limit: candidates scored per bin
  bool cube_pruning = true;  // if false, score all candidates
  float beam_threshold = 0;  // prune hypotheses this far below the best of their bin; 0 disables
  int32_t span_limit = 20;   // maximum source words per rule, glue excepted; 0 for no limit
  int32_t rule_limit = 20;   // rules per source side; 0 for no limit
};

}  // namespace demotic::search
