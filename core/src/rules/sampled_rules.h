// The rules of a source side that were extracted from a sample of its occurrences.
#pragma once

#include <cstdint>
#include <vector>

#include "demotic/base/csr.h"
#include "demotic/rules/rule_store.h"

namespace demotic::rules {

// By falling count.
struct SampledRules {
  float source_count = 0;
  Csr<Symbol> targets;
  Csr<RuleLink> links;
  std::vector<float> scores;  // flat
  std::vector<float> counts, target_counts;
  std::vector<int32_t> occurrences;
  std::vector<int32_t> only_pairs;  // the pair of a rule that occurs once, or -1
};

// How many occurrences of a source side there are, and how many of them were looked at.
struct SampleSize {
  double all = 0;
  uint64_t taken = 0;
  bool complete = true;

  double scale() const noexcept { return complete || taken == 0 ? 1 : all / double(taken); }
};

}  // namespace demotic::rules
