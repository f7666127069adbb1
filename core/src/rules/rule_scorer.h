// The scores of extracted rules: relative frequencies, lexical weights, lexicalised reordering.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "demotic/rules/extract_rules.h"
#include "extra_scores.h"
#include "rule_counter.h"
#include "rule_smoothing.h"

namespace demotic::rules {

// The names of the scores, in their order.
std::vector<std::string> score_names(const ExtractOptions& options);

// Not thread-safe; use one instance per thread.
class RuleScorer {
 public:
  // `smoothing` is finished before the first rule is scored.
  RuleScorer(const LexicalTable& lexicon, const ExtractOptions& options,
             const RuleSmoothing& smoothing);

  // Prefetches data for a rule that is scored later.
  void prefetch(const Rule& rule) const noexcept { lexicon_.prefetch(rule); }
  // `rule` is `counted` as symbols, `source` and `target` are its sides. Valid until the next call.
  std::span<const float> score(const Rule& rule, const CountedRule& counted,
                               const SideCounts& source, const SideCounts& target);

 private:
  void add_reordering(const CountedRule& counted);
  float reordering_score(int32_t count, int32_t occurrences) const noexcept;

  const LexicalTable& lexicon_;
  const RuleSmoothing& rule_smoothing_;
  int sides_;  // of the reordering model
  double smoothing_;
  std::vector<float> reordering_scores_;  // of rules with few occurrences
  std::vector<ExtraScore> extra_;
  std::vector<float> scores_;
};

}  // namespace demotic::rules
