// The steps of phrase derivations: their rules, words and features, recomputed from the rules and
// the models in double precision.
#pragma once

#include <span>
#include <vector>

#include "demotic/search/phrase_search.h"
#include "demotic/search/step.h"

namespace demotic::search {

class PhraseSteps {
 public:
  using Search = PhraseSearch;
  using Edge = PhraseSearch::Edge;

  // Refers to the last sentence that was searched.
  PhraseSteps(const PhraseModel& model, PhraseSearch& search) : model_(model), search_(search) {}

  PhraseSearch& search() const noexcept { return search_; }
  int32_t features() const noexcept { return model_.features().size(); }

  // The step of an edge; `head` is the hypothesis that the edge leads to.
  Step step(const Edge& edge, uint32_t head) const noexcept;
  // A number for the translation option and the span of an edge.
  static uint64_t option_on_span(const Edge& edge, uint32_t) noexcept { return edge.option; }
  // Appends the target side: a gap in place of the parent, then the words.
  void append_target(const Edge& edge, uint32_t head, std::vector<Symbol>& symbols) const;
  // Adds the values of all dense features, by feature index.
  void add_features(const Edge& edge, uint32_t head, std::span<double> values) const;
  // Appends the sparse keys, local ones first, then joint ones; only for models with sparse
  // features.
  const SparseFeatures& sparse_features() const noexcept { return *model_.sparse().features; }
  void add_keys(const Edge& edge, uint32_t head, std::vector<FeatureKey>& keys) const;
  void add_local_keys(const Edge& edge, uint32_t head, std::vector<FeatureKey>& keys) const;
  // Only for models with joint features, and what these see of the translation before a step.
  void add_joint_keys(const Edge& edge, std::vector<FeatureKey>& keys) const;
  bool joint() const noexcept { return model_.joint(); }
  // Phrases have no gaps.
  template <typename Visit>
  static void for_each_sparse_gap(const Edge&, Visit&&) noexcept {}
  static void add_gap_keys(bool, int32_t, std::vector<FeatureKey>&) noexcept {}
  const SparseFeatures::Past& past(const Edge& edge) const noexcept {
    return search_.past(search_.hypotheses()[edge.tails[0]]);
  }

  // Adds the features of ending the translation after a complete hypothesis, unless it is a prefix.
  void add_end_features(uint32_t hypothesis, std::span<double> values) const;
  // Adds the features of a complete derivation.
  void add_derivation_features(uint32_t top, const SourceSentences& source,
                               std::span<double> values) const;

  // The same for a translation option without context: no reordering, no distortion, no sparse
  // features, and context-free language model scores.
  void append_words(uint32_t option, std::vector<WordId>& words) const;
  void add_context_free_features(uint32_t option, std::span<double> values) const;
  // Adds the features of the future cost of what is not covered if the last phrase ends at
  // `last_end`: of the best segmentation and the jumps, or of unknown words only.
  void add_future_features(const CoverageTable& coverage, CoverageId covered, int32_t last_end,
                           bool of_phrases, std::span<double> values) const;
  // The same of a hypothesis.
  void add_future_features(uint32_t hypothesis, bool of_phrases, std::span<double> values) const;

 private:
  void add_rule_features(uint32_t option, std::span<double> values) const;
  Step step_of(uint32_t option) const noexcept;
  double log_probability(RuleId rule) const noexcept;

  const PhraseModel& model_;
  PhraseSearch& search_;
};

}  // namespace demotic::search
