// Counts and scores the rules of one source side from its occurrences, or from a sample of them
// (Lopez 2008; Germann 2015): the part of rules on demand that phrases and Hiero share. Not
// thread-safe; use one instance per thread.
//
// From all occurrences the scores are those of extract_rules. Counts of a sample of n of N
// occurrences are multiplied by N / n. p(target | source) and the reordering scores are those of
// the sample; for p(source | target), which is at most 1, the count of the target side is exact.
#pragma once

#include <cstdint>
#include <vector>

#include "demotic/rules/bitext_index.h"
#include "rule_scorer.h"
#include "sampled_rules.h"

namespace demotic::rules {

class SampleScorer {
 public:
  // All arguments must outlive it. The parts of the bitext are those of the indices.
  SampleScorer(const std::vector<BitextIndex>& indices, const PackedBitext& bitext,
               const ExtractOptions& options);
  SampleScorer(const SampleScorer&) = delete;
  SampleScorer& operator=(const SampleScorer&) = delete;

  // The occurrences have one source side and any order, which is changed.
  SampledRules score(std::vector<Occurrence>& occurrences, const SampleSize& size);

 private:
  void sort(std::vector<Occurrence>& occurrences) const;
  void touch(std::span<const CountedRule> rules) const noexcept;
  void add_up_parts(std::span<const Occurrence> occurrences, double scale);
  double target_count(const CountedRule& rule, std::span<const Symbol> target) const;
  void need_lexicon(const Rule& rule);
  void need_pair(WordId source, WordId target);
  void add(const CountedRule& rule, const SideCounts& source, bool complete, SampledRules& result);

  struct RuleParts {
    uint64_t rule;               // its key
    std::vector<double> counts;  // by index
  };

  const std::vector<BitextIndex>& indices_;
  std::vector<RuleParts> parts_;  // of the rules that are scored, if there are several indices
  const PackedBitext& bitext_;
  const ExtractOptions& options_;
  SourceOrder order_;
  LexicalTable lexicon_;  // a cache of what was needed
  FlatMap<uint64_t, uint8_t> known_pairs_;
  RuleSmoothing smoothing_{Smoothing::kNone};
  RuleScorer scorer_;
  Rule rule_;
};

}  // namespace demotic::rules
