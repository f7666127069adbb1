// Scores of a rule in addition to its probabilities, by name: logarithms of counts, and flags for
// kinds of rules. The feature sets of src/demotic/feature_sets.py select among them.
#pragma once

#include <cstdint>
#include <string_view>

#include "demotic/rules/occurrence.h"

namespace demotic::rules {

// Totals are over all rules with the same side.
struct RuleFacts {
  const Rule& rule;
  int32_t occurrences;
  double count, source_total, target_total;
};

using ExtraScore = float (*)(const RuleFacts&);

// Throws std::invalid_argument for an unknown name.
ExtraScore extra_score(std::string_view name);

}  // namespace demotic::rules
