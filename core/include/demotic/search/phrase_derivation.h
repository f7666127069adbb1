// A derivation of phrase search taken apart: its steps, their words, and its features, worked out
// again from the rules and the models in double precision.
#pragma once

#include <span>
#include <vector>

#include "demotic/search/phrase_search.h"

namespace demotic::search {

// A rule used on [begin, end); kNoRule where a word was copied or dropped.
struct PhraseStep {
  RuleId rule;
  int32_t begin, end;
};

// The hypotheses that lead to `last`, without the empty one, in order.
void derivation_of(const PhraseSearch& search, uint32_t last, std::vector<uint32_t>& chain);

PhraseStep step_of(const PhraseSearch& search, uint32_t option);

// Appends the target words of an option; `source` is the sentence.
void append_words(const PhraseModel& model, const PhraseSearch& search, uint32_t option,
                  std::span<const WordId> source, std::vector<WordId>& words);

// Appends the keys of the sparse features of a step, local ones first, then joint ones; only if the
// model has sparse features. sparse_sums.h and joint_states.h have the same for any derivation.
void add_step_keys(const PhraseModel& model, const PhraseSearch& search, const Hypothesis& parent,
                   uint32_t option, std::vector<FeatureKey>& keys);

// Adds the values of all dense features of one step, by feature number.
void add_features(const PhraseModel& model, PhraseSearch& search, const Hypothesis& parent,
                  uint32_t option, std::span<double> values);
// Those of an option that do not depend on what stands around it: without reordering, distortion
// and the language model's context.
void add_local_features(const PhraseModel& model, PhraseSearch& search, uint32_t option,
                        std::span<double> values);
// Those of ending the translation there; none if it does not end there.
void add_end_features(const PhraseModel& model, PhraseSearch& search, const Hypothesis& last,
                      std::span<double> values);

}  // namespace demotic::search
