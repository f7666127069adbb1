// The best gold derivation of each bin of a phrase search: Viterbi over the gold forest under the
// current weights (Yu et al. 2013, equation 3).
//
// The score of a phrase depends on the previous phrase (reordering, joint features), so the states
// of the recursion are the edges of the forest. With an operation sequence model, it depends on
// earlier phrases too; then each edge keeps the state of its best derivation, so the derivation
// found is scored exactly but may not be the best. The target words before a phrase are those of
// the reference, so the language model is queried once per reference word. Time: proportional to
// the number of pairs of consecutive edges. Not thread-safe; use one instance per thread.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "demotic/force/gold_forests.h"
#include "demotic/learn/update_rule.h"
#include "demotic/search/phrase_steps.h"

namespace demotic::learn {

class PhraseGold {
 public:
  explicit PhraseGold(const PhraseModel& model);

  // Call after `search` has searched the same sentence with the same weights. `future`: partial
  // derivations are compared as the search ranks them; otherwise by score alone, apart from the
  // penalties of unknown words.
  void run(PhraseSearch& search, const SourceSentences& source, size_t sentence,
           const GoldForest& gold, std::span<const double> weights, bool future);

  // Score of the best gold derivation with `bin` covered words; kNoScore if there is none. Bin 0 is
  // the empty hypothesis.
  double total(int32_t bin) const noexcept { return totals_[bin]; }
  // Adds the features of that derivation and of its future estimate.
  void add_features(int32_t bin, std::span<double> values, std::vector<FeatureKey>& keys);

 private:
  struct EdgeState {
    double best = kNoScore;   // best score of the derivations that end with this edge
    uint32_t before = kNone;  // previous edge of the best one
    OperationState operations{};
  };

  void read_reference();
  void find_coverage();
  void score_edges();
  double future_score(uint32_t node) const;
  void add_future_features(uint32_t node, std::span<double> values);
  double step_score(uint32_t before, uint32_t edge, OperationState& operations);
  void prepare_operations();
  // Adds the values of the operations of an edge; returns the state after it.
  OperationState add_operations(uint32_t before, uint32_t edge, std::span<double> values);
  // Calls visit(feature, value) for the features that depend on the previous edge.
  template <typename Visit>
  void for_each_order_feature(uint32_t before, const GoldEdge& edge, Visit&& visit) const;
  Orientations orientations(uint32_t before, const GoldEdge& edge) const noexcept;
  SparseFeatures::Past past(uint32_t before, uint32_t node) const noexcept;
  int32_t position(uint32_t node) const noexcept { return gold_.nodes[node].target_end; }
  void add_step_features(uint32_t before, uint32_t edge, std::span<double> values,
                         std::vector<FeatureKey>& keys);

  const PhraseModel& model_;
  const bool joint_;
  std::optional<OperationScorer> operations_;
  // The current sentence.
  PhraseSearch* search_ = nullptr;
  const SourceSentences* source_ = nullptr;
  size_t sentence_ = 0;
  GoldForest gold_{};
  std::span<const double> weights_;
  bool future_ = true;             // with the future cost of phrases
  std::vector<double> lm_values_;  // ln p of each reference word, then of </s>; per language model
  std::vector<double> lm_sums_;    // weighted prefix sums of lm_values_
  CoverageTable coverage_;
  std::vector<CoverageId> covered_;                // by node
  std::vector<SparseSums::Step> steps_;            // by edge
  std::vector<double> local_;                      // by edge
  std::vector<uint32_t> steps_of_;                 // by edge: in operations_
  std::vector<double> values_;                     // scratch, by feature
  std::vector<EdgeState> states_;                  // by edge
  std::vector<double> totals_;                     // by bin
  std::vector<uint32_t> best_edges_, best_nodes_;  // by bin
};

}  // namespace demotic::learn
