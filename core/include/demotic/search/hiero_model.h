// What chart search needs of a model beside rules and language models: its nonterminals, and how
// sentences are glued together.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "demotic/search/search_model.h"

namespace demotic::search {

// What the grammar itself decides; the rest is effort.
struct HieroGrammar {
  std::string nonterminal = "X";  // of copied words, and of the pieces that glue joins
  std::string goal;               // empty: S -> X and S -> S X are built in; else the root's label
  bool pass_through_all = false;  // known words may be copied too
};

class HieroModel : public SearchModel {
 public:
  // Throws ModelError if no rule has the goal, or the nonterminal that glue joins, or if there are
  // joint sparse features. A grammar with a goal may do without the nonterminal; copied words then
  // have a label of their own.
  HieroModel(RuleStore rules, std::vector<LanguageModel> language_models, Vocabulary vocabulary,
             HieroGrammar grammar, Sparse sparse = {}, bool unknown_phrase_penalty = false);

  int32_t nonterminal() const noexcept { return nonterminal_; }
  bool builtin_glue() const noexcept { return goal_ < 0; }
  int32_t goal() const noexcept { return goal_; }
  bool pass_through_all() const noexcept { return pass_through_all_; }
  int32_t labels() const noexcept { return static_cast<int32_t>(order_.size()); }

  // Labels such that the tail of a rule X -> Y comes before its head. Which rules of a circle of
  // such rules are left out, so that it is none, depends on the order of the labels alone.
  const std::vector<int32_t>& label_order() const noexcept { return order_; }
  int32_t rank(int32_t label) const noexcept { return ranks_[label]; }

 private:
  int32_t nonterminal_, goal_;
  bool pass_through_all_;
  std::vector<int32_t> order_, ranks_;
};

// The effort; src/demotic/search/options.py declares the same for people.
struct HieroSearchOptions {
  int32_t beam_size = 200;   // hypotheses that survive in a bin
  int32_t pop_limit = 400;   // candidates that cube pruning examines for a bin
  bool cube_pruning = true;  // false: examine all of them
  float beam_threshold = 0;  // drop what is worse than the best of its bin by more; 0: nothing
  int32_t span_limit = 20;   // source words under a rule, glue excepted; 0: all
  int32_t rule_limit = 20;   // best rules of a source side; 0: all
};

}  // namespace demotic::search
