// The part of a model that only phrase search needs: lexicalised reordering, and the operation
// sequence model.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "demotic/search/orientation.h"
#include "demotic/search/search_model.h"

namespace demotic::search {

class PhraseModel : public SearchModel {
 public:
  // Rules with gaps are never matched. `operations`: an n-gram model of operations. With `given` it
  // has the feature Given.
  PhraseModel(RuleStore rules, std::vector<LanguageModel> language_models, Vocabulary vocabulary,
              Sparse sparse = {}, bool unknown_phrase_penalty = false,
              std::optional<LanguageModel> operations = {}, bool given = false);

  // The n-gram model of the operation sequence model, or null; see OperationScorer.
  const LanguageModel* operations() const noexcept { return operations_ ? &*operations_ : nullptr; }

  // Lexicalised reordering (Koehn et al. 2005) scores a rule by its orientation relative to the
  // previous phrase (backward) and to the next one (forward): one score column per orientation, or
  // none.
  bool has_backward() const noexcept { return backward_[0] >= 0; }
  bool has_forward() const noexcept { return forward_[0] >= 0; }
  // Whether orientations are hierarchical or word-based.
  bool hierarchical() const noexcept { return hierarchical_; }
  std::span<const int32_t, kOrientations> backward() const noexcept { return backward_; }
  std::span<const int32_t, kOrientations> forward() const noexcept { return forward_; }

  // Calls visit(feature, value) for the dense features of placing a rule after another one: the
  // jump and reordering. `before` is kNoRule at the start.
  template <typename Visit>
  void for_each_jump_feature(const Jump& jump, Visit&& visit) const {
    features().for_each_value(jump, visit);
  }
  template <typename Visit>
  void for_each_reordering_feature(RuleId before, RuleId rule, Orientations orientations,
                                   Visit&& visit) const {
    visit_column(backward_, rule, orientations.backward, visit);
    visit_column(forward_, before, orientations.forward, visit);
  }
  // The orientations of [begin, end) after a phrase; see orientation.h.
  template <typename Covered>
  Orientations orientations(int32_t last_begin, int32_t last_end, int32_t begin, int32_t end,
                            Covered&& covered) const noexcept {
    return hierarchical_ ? hierarchical_orientations(last_begin, last_end, begin, end, covered)
                         : word_orientations(last_begin, last_end, begin, end);
  }

 private:
  template <typename Visit>
  void visit_column(const std::array<int32_t, kOrientations>& columns, RuleId rule,
                    Orientation orientation, Visit& visit) const {
    const int32_t column = columns[orientation];
    if (column >= 0 && is_stored(rule)) visit(column, double{rules().scores(rule)[column]});
  }

  std::optional<LanguageModel> operations_;
  bool hierarchical_;
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
