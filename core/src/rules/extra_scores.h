// Scores of a rule beside its probabilities, by name: logarithms of counts, and flags that say what
// kind of rule it is. The feature sets of src/demotic/feature_sets.py choose among them.
#pragma once

#include <cstdint>
#include <string_view>

#include "demotic/rules/occurrence.h"

namespace demotic::rules {

// Totals are those of all rules with the same side.
struct RuleFacts {
  const Rule& rule;
  int32_t occurrences;
  double count, source_total, target_total;
};

using ExtraScore = float (*)(const RuleFacts&);

// Throws std::invalid_argument if there is none of that name.
ExtraScore extra_score(std::string_view name);

}  // namespace demotic::rules
