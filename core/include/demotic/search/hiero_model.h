// The parts of a model that only chart search needs: its nonterminals and its glue grammar.
#pragma once

#include <cstdint>
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

class HieroModel : public SearchModel {
 public:
  // Throws ModelError if no rule has the goal or the nonterminal that glue joins, or if there are
  // joint sparse features. A grammar with a goal need not have the nonterminal; copied words then
  // have a label of their own.
  HieroModel(RuleStore rules, std::vector<LanguageModel> language_models, Vocabulary vocabulary,
             HieroGrammar grammar, Sparse sparse = {}, bool unknown_phrase_penalty = false);

  int32_t nonterminal() const noexcept { return nonterminal_; }
  bool builtin_glue() const noexcept { return goal_ < 0; }
  int32_t goal() const noexcept { return goal_; }
  bool pass_through_all() const noexcept { return pass_through_all_; }
  int32_t labels() const noexcept { return static_cast<int32_t>(order_.size()); }

  // Labels in an order in which the tail of a unary rule X -> Y comes before its head. Cycles are
  // broken by ignoring some unary rules; which ones depends only on the order of the labels.
  const std::vector<int32_t>& label_order() const noexcept { return order_; }
  int32_t rank(int32_t label) const noexcept { return ranks_[label]; }

 private:
  int32_t nonterminal_, goal_;
  bool pass_through_all_;
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
