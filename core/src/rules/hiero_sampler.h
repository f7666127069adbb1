// Extracts the rules of one source pattern from an indexed bitext, from all of its occurrences or a
// sample of them (Lopez 2007, 2008): those whose source side is the pattern, and those with gaps
// before or after it, which have the same occurrences. Not thread-safe; use one instance per
// thread.
#pragma once

#include <array>
#include <vector>

#include "initial_phrase_cache.h"
#include "sample_scorer.h"
#include "source_patterns.h"

namespace demotic::rules {

class HieroSampler {
 public:
  // All arguments must outlive it. The parts of the bitext are those of the indices.
  HieroSampler(const std::vector<BitextIndex>& indices, const PackedBitext& bitext,
               const ExtractOptions& options);

  // By frame, see hiero_extract.h; empty for those that are not in `frames`. Throws FormatError,
  // Interrupted.
  using Rules = std::array<SampledRules, kFrames>;
  Rules sample(const SourcePatterns& patterns, PatternId id, FrameSet frames, const StopFlag& stop);

 private:
  void extract_at(const Pattern& pattern, const PatternPlace& place, FrameSet frames);

  const std::vector<BitextIndex>& indices_;
  const PackedBitext& bitext_;
  InitialPhraseCache initial_;
  SampleScorer scorer_;
  HieroExtractor::Framed occurrences_;
  std::vector<PatternPlace> sampled_;
  std::vector<Symbol> symbols_;
};

}  // namespace demotic::rules
