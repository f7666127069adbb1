// What phrase search needs of a model beside rules and language models: lexicalised reordering.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "demotic/search/search_model.h"

namespace demotic::search {

// How a phrase stands to the one translated before it.
enum Orientation : uint8_t { kMonotone, kSwap, kDiscontinuous };
inline constexpr int kOrientations = 3;

class PhraseModel : public SearchModel {
 public:
  // Rules with gaps are never matched.
  PhraseModel(RuleStore rules, std::vector<LanguageModel> language_models, Vocabulary vocabulary,
              Sparse sparse = {}, bool unknown_phrase_penalty = false);

  // Lexicalised reordering (Koehn et al. 2005) scores a rule by its orientation to the phrase
  // before it (backward) and to the one after it (forward): a column of the rules' scores per
  // orientation, or none.
  bool has_backward() const noexcept { return backward_[0] >= 0; }
  bool has_forward() const noexcept { return forward_[0] >= 0; }
  std::span<const int32_t, kOrientations> backward() const noexcept { return backward_; }
  std::span<const int32_t, kOrientations> forward() const noexcept { return forward_; }

  // visit(feature, value) for the dense features of placing a rule after another one: the jump and
  // reordering. `before` is kNoRule at the beginning.
  template <typename Visit>
  void for_each_jump_feature(const Jump& jump, Visit&& visit) const {
    features().for_each_value(jump, visit);
  }
  template <typename Visit>
  void for_each_reordering_feature(RuleId before, RuleId rule, Orientation orientation,
                                   Visit&& visit) const {
    visit_column(backward_, rule, orientation, visit);
    visit_column(forward_, before, orientation, visit);
  }

 private:
  template <typename Visit>
  void visit_column(const std::array<int32_t, kOrientations>& columns, RuleId rule,
                    Orientation orientation, Visit& visit) const {
    const int32_t column = columns[orientation];
    if (column >= 0 && !is_copy(rule)) visit(column, double{rules().scores(rule)[column]});
  }

  std::array<int32_t, kOrientations> backward_, forward_;
};

// The search space and the effort; src/demotic/search/options.py declares the same for people.
struct PhraseSearchOptions {
  int32_t beam_size = 200;        // hypotheses that survive in a bin
  int32_t pop_limit = 400;        // candidates that cube pruning examines for a bin
  bool cube_pruning = true;       // false: examine all of them
  float beam_threshold = 0;       // drop what is worse than the best of its bin by more; 0: nothing
  int32_t distortion_limit = 6;   // source words between phrases; -1: unlimited
  bool gap_test = true;           // a phrase may not leave the first open gap beyond reach
  int32_t rule_limit = 20;        // best rules of a source phrase; 0: all
  bool early_distortion = false;  // distortion is paid as soon as it is known (Moore & Quirk 2007)
  bool drop_unknown = false;      // unknown words vanish instead of being copied
};

}  // namespace demotic::search
