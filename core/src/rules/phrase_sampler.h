// Extracts the phrase pairs of one source phrase from an indexed bitext, from all of its
// occurrences or a sample of them. Not thread-safe; use one instance per thread.
//
// A sample of n of N occurrences is stratified over the suffix array: one occurrence from each of n
// equal parts of the range, chosen by the seed and the words of the phrase.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "phrase_occurrences.h"
#include "sample_scorer.h"

namespace demotic::rules {

class PhraseSampler {
 public:
  // All arguments must outlive it. The parts of the bitext are those of the indices.
  PhraseSampler(const std::vector<BitextIndex>& indices, const PackedBitext& bitext,
                const ExtractOptions& options);

  SampledRules sample(std::span<const WordId> words);

 private:
  void extract_at(size_t part, uint32_t rank, int32_t words);

  const std::vector<BitextIndex>& indices_;
  const PackedBitext& bitext_;
  PhraseOccurrences extractor_;
  SampleScorer scorer_;
  std::vector<SuffixRange> ranges_;  // by index
  std::vector<Occurrence> occurrences_;
};

}  // namespace demotic::rules
