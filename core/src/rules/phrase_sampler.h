// Extracts, counts and scores the phrase pairs of one source phrase from an indexed bitext, from
// all of its occurrences or a sample of them (Lopez 2008; Germann 2015). Not thread-safe; use one
// instance per thread.
//
// From all occurrences the scores are those of extract_rules. A sample of n of N occurrences is
// stratified over the suffix array: one occurrence from each of n equal parts of the range, chosen
// by the seed and the words of the phrase. Counts are multiplied by N / n. p(target | source) and
// the reordering scores are those of the sample; for p(source | target), which is at most 1, the
// count of the target phrase is exact.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "demotic/base/csr.h"
#include "demotic/rules/bitext_index.h"
#include "demotic/rules/rule_store.h"
#include "phrase_occurrences.h"
#include "rule_scorer.h"

namespace demotic::rules {

// The rules of a source phrase, by falling count.
struct SampledRules {
  float source_count = 0;
  Csr<Symbol> targets;
  Csr<RuleLink> links;
  std::vector<float> scores;  // flat
  std::vector<float> counts, target_counts;
  std::vector<int32_t> occurrences;
  std::vector<int32_t> only_pairs;  // the pair of a rule that occurs once, or -1
};

class PhraseSampler {
 public:
  // All arguments must outlive it. The parts of the bitext are those of the indices.
  PhraseSampler(const std::vector<BitextIndex>& indices, const PackedBitext& bitext,
                const ExtractOptions& options);
  PhraseSampler(const PhraseSampler&) = delete;
  PhraseSampler& operator=(const PhraseSampler&) = delete;

  SampledRules sample(std::span<const WordId> words);

 private:
  uint64_t extract(std::span<const WordId> words, uint64_t& taken);
  void extract_at(size_t part, uint32_t rank, int32_t words);
  void sort_occurrences();
  bool keeps(const CountedRule& rule) const noexcept;
  double target_count(std::span<const Symbol> target) const;
  void need_lexicon(const Rule& rule);
  void need_pair(WordId source, WordId target);
  void add(const CountedRule& rule, const SideCounts& source, bool complete, SampledRules& result);

  const std::vector<BitextIndex>& indices_;
  const PackedBitext& bitext_;
  const ExtractOptions& options_;
  PhraseOccurrences extractor_;
  SourceOrder order_;
  LexicalTable lexicon_;  // a cache of what was needed
  FlatMap<uint64_t, uint8_t> known_pairs_;
  RuleSmoothing smoothing_{Smoothing::kNone};
  RuleScorer scorer_;
  std::vector<SuffixRange> ranges_;  // by index
  std::vector<Occurrence> occurrences_;
  Rule rule_;
};

}  // namespace demotic::rules
