// The steps of Hiero search's derivations taken apart: their rules, words and features, worked out
// again from the rules and the models.
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

  // Of the last sentence that was searched.
  HieroSteps(const HieroModel& model, HieroSearch& search) : model_(model), search_(search) {}

  HieroSearch& search() const noexcept { return search_; }
  int32_t features() const noexcept { return model_.features().size(); }

  // Of an edge; `head` is the hypothesis that it makes.
  Step step(const Edge& edge, uint32_t head) const noexcept;
  // Appends the target side: words, and gaps where those of the tails go.
  void append_target(const Edge& edge, uint32_t head, std::vector<Symbol>& symbols) const;
  // Adds the values of all dense features, by feature number; or of all but the language models'.
  void add_features(const Edge& edge, uint32_t head, std::span<double> values) const;
  void add_local_features(const Edge& edge, uint32_t head, std::span<double> values) const;
  // Appends the keys of the sparse features; only if the model has some.
  void add_keys(const Edge& edge, uint32_t head, std::vector<FeatureKey>& keys) const;

  // Adds the features of ending the translation after a complete hypothesis; kNone: the empty one.
  void add_end_features(uint32_t hypothesis, std::span<double> values) const;
  // Adds the features of a complete derivation, the language models' in double precision.
  void add_derivation_features(uint32_t top, const SourceSentences& source,
                               std::span<double> values) const;

 private:
  const HieroModel& model_;
  HieroSearch& search_;
};

// Appends the keys of the sparse features of a step; glue has none.
void add_hiero_keys(const HieroModel& model, const Step& step, const SentenceWords& sentence,
                    std::vector<FeatureKey>& keys);

}  // namespace demotic::search
