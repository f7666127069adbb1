// The part of a model that only phrase search needs: lexicalised reordering.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "demotic/search/search_model.h"

namespace demotic::search {

// The orientation of a phrase relative to the previous one.
enum Orientation : uint8_t { kMonotone, kSwap, kDiscontinuous };
inline constexpr int kOrientations = 3;

class PhraseModel : public SearchModel {
 public:
  // Rules with gaps are never matched. With `given` it has the feature Given.
  PhraseModel(RuleStore rules, std::vector<LanguageModel> language_models, Vocabulary vocabulary,
              Sparse sparse = {}, bool unknown_phrase_penalty = false, bool given = false);

  // Lexicalised reordering (Koehn et al. 2005) scores a rule by its orientation relative to the
  // previous phrase (backward) and to the next one (forward): one score column per orientation, or
  // none.
  bool has_backward() const noexcept { return backward_[0] >= 0; }
  bool has_forward() const noexcept { return forward_[0] >= 0; }
  std::span<const int32_t, kOrientations> backward() const noexcept { return backward_; }
  std::span<const int32_t, kOrientations> forward() const noexcept { return forward_; }

  // Calls visit(feature, value) for the dense features of placing a rule after another one: the
  // jump and reordering. `before` is kNoRule at the start.
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
    if (column >= 0 && is_stored(rule)) visit(column, double{rules().scores(rule)[column]});
  }

  std::array<int32_t, kOrientations> backward_, forward_;
};

// Declared for users in src/demotic/search/options.py.
struct PhraseSearchOptions {
  int32_t beam_size = 200;   // hypotheses kept per bin
  int32_t pop_limit = 400;   // cube-pruning pop limit: candidates scored per bin
  bool cube_pruning = true;  // if false, score all candidates
  float beam_threshold = 0;  // prune hypotheses this far below the best of their bin; 0 disables
  bool future_cost = true;   // rank partial hypotheses with their future cost, or by score alone
  int32_t distortion_limit = 6;   // distortion limit in words; -1 for none
  bool gap_test = true;           // a phrase may not make the first gap unreachable
  int32_t rule_limit = 20;        // rules per source phrase; 0 for no limit
  bool early_distortion = false;  // charge distortion in advance (Moore & Quirk 2007)
  bool drop_unknown = false;      // drop unknown words instead of copying them
};

}  // namespace demotic::search
