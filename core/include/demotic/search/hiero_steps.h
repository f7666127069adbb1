// The steps of Hiero derivations: their rules, words and features, recomputed from the rules and
// the models.
#pragma once

#include <span>
#include <vector>

#include "demotic/search/hiero_search.h"
#include "demotic/search/step.h"

namespace demotic::search {

class HieroSteps {
 public:
  using Search = HieroSearch;
  using Edge = HieroSearch::Edge;

  // Refers to the last sentence that was searched.
  HieroSteps(const HieroModel& model, HieroSearch& search) : model_(model), search_(search) {}

  HieroSearch& search() const noexcept { return search_; }
  int32_t features() const noexcept { return model_.features().size(); }

  // The step of an edge; `head` is the hypothesis that the edge leads to.
  Step step(const Edge& edge, uint32_t head) const noexcept;
  // A number for the translation option and the span of an edge; spans share options.
  uint64_t option_on_span(const Edge& edge, uint32_t head) const noexcept;
  // Appends the target side: words, and gaps in place of the tails.
  void append_target(const Edge& edge, uint32_t head, std::vector<Symbol>& symbols) const;
  // Adds the values of all dense features, by feature index; or of all but the language models.
  void add_features(const Edge& edge, uint32_t head, std::span<double> values) const;
  void add_local_features(const Edge& edge, uint32_t head, std::span<double> values) const;
  // Appends the sparse keys, local ones first, then those of gaps; only for models with sparse
  // features.
  const SparseFeatures& sparse_features() const noexcept { return *model_.sparse().features; }
  void add_keys(const Edge& edge, uint32_t head, std::vector<FeatureKey>& keys) const;
  void add_local_keys(const Edge& edge, uint32_t head, std::vector<FeatureKey>& keys) const;
  // Calls visit(reordered, size) for each gap of a rule, if the model has sparse features of gaps.
  template <typename Visit>
  void for_each_sparse_gap(const Edge& edge, Visit&& visit) const {
    if (!model_.has_sparse_gaps()) return;
    model_.for_each_gap(search_.options()[edge.option].rule, search_.gap_sizes(edge),
                        [&](const FilledGap& gap) { visit(gap.reordered, gap.size); });
  }
  void add_gap_keys(bool reordered, int32_t size, std::vector<FeatureKey>& keys) const {
    model_.sparse().features->add_gap_keys(reordered, size, keys);
  }
  static void add_joint_keys(const Edge&, std::vector<FeatureKey>&) noexcept {}
  static bool joint() noexcept { return false; }
  static SparseFeatures::Past past(const Edge&) noexcept { return {kNoRule, {-1, -1}}; }

  // Adds the features of ending the translation after a complete hypothesis; kNone for the empty
  // one.
  void add_end_features(uint32_t hypothesis, std::span<double> values) const;
  // Adds the features of a complete derivation, with language model scores in double precision.
  void add_derivation_features(uint32_t top, const SourceSentences& source,
                               std::span<double> values) const;

 private:
  const HieroModel& model_;
  HieroSearch& search_;
};

// Appends the sparse keys of a step; glue has none.
void add_hiero_keys(const HieroModel& model, const Step& step, const GapSizes& sizes,
                    const SentenceWords& sentence, std::vector<FeatureKey>& keys);

}  // namespace demotic::search
