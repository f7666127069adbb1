// The best gold derivation of every bin of a phrase search: Viterbi over the gold forest with the
// current weights (Yu et al. 2013, equation 3).
//
// The score of a phrase depends on the one before it (reordering, joint features), so the states of
// the recursion are the forest's edges. The target words before a phrase are those of the
// reference, so the language model is asked once per word of the reference. Time: pairs of edges
// that follow each other. Not thread-safe; use one per thread.
#pragma once

#include <span>
#include <vector>

#include "demotic/force/gold_forests.h"
#include "demotic/learn/update_rule.h"
#include "demotic/search/phrase_steps.h"

namespace demotic::learn {

class PhraseGold {
 public:
  explicit PhraseGold(const PhraseModel& model) : model_(model), joint_(model.joint()) {}

  // After `search` of the same sentence, with the same weights. `future`: partial derivations are
  // compared with their future cost, as the search did it.
  void run(PhraseSearch& search, const SourceSentences& source, size_t sentence,
           const GoldForest& gold, std::span<const double> weights, bool future);

  // By number of covered words, the empty bin first; kNoScore where nothing is gold.
  double total(int32_t bin) const noexcept { return totals_[bin]; }
  // Adds the features of the best one, and of its future.
  void add_features(int32_t bin, std::span<double> values, std::vector<FeatureKey>& keys);

 private:
  struct Place {
    double best = kNoScore;   // of the derivations that end with the edge
    uint32_t before = kNone;  // the edge before it on the best one
  };

  void read_reference();
  void find_coverage();
  void score_edges();
  double future_score(uint32_t node) const;
  void add_future_features(uint32_t node, std::span<double> values, std::vector<FeatureKey>& keys);
  double step_score(uint32_t before, uint32_t edge);
  // visit(feature, value) for the features that depend on the edge before.
  template <typename Visit>
  void for_each_order_feature(uint32_t before, const GoldEdge& edge, Visit&& visit) const;
  Orientation orientation(uint32_t before, const GoldEdge& edge) const noexcept;
  SparseFeatures::Past past(uint32_t before, uint32_t node) const noexcept;
  int32_t position(uint32_t node) const noexcept { return gold_.nodes[node].target_end; }
  void add_step_features(uint32_t before, uint32_t edge, std::span<double> values,
                         std::vector<FeatureKey>& keys);

  const PhraseModel& model_;
  const bool joint_;
  // Of the sentence.
  PhraseSearch* search_ = nullptr;
  const SourceSentences* source_ = nullptr;
  size_t sentence_ = 0;
  GoldForest gold_{};
  std::span<const double> weights_;
  bool future_ = true;
  std::vector<double> lm_values_;  // ln p of each word of the reference, then its end; by model
  std::vector<double> lm_sums_;    // weighted, up to each word
  CoverageTable coverage_;
  std::vector<CoverageId> covered_;                // by node
  std::vector<SparseSums::Step> steps_;            // by edge
  std::vector<double> local_;                      // by edge
  std::vector<Place> places_;                      // by edge
  std::vector<double> totals_;                     // by bin
  std::vector<uint32_t> best_edges_, best_nodes_;  // by bin
};

}  // namespace demotic::learn
