// Hierarchical rules (Chiang 2007, section 3.2): initial phrases in which up to two smaller initial
// phrases are replaced by gaps.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "demotic/rules/gap_reordering.h"
#include "demotic/rules/phrase_extract.h"

namespace demotic::rules {

struct HieroExtractOptions {
  int32_t max_initial = 10;        // maximum length of an initial phrase in words, on either side
  int32_t max_source_symbols = 5;  // maximum number of words and gaps on the source side
  int32_t max_gaps = 2;            // 0 to 2
  int32_t min_gap = 1;             // minimum source words under a gap
  bool tight = false;              // exclude initial phrases with unaligned words at their edges
  bool adjacent_gaps = false;      // allow adjacent gaps on the source side
  bool require_link = true;        // at least one link between two words of the rule
  bool share_count = true;         // the rules of an initial phrase share its count of 1
};

// Reusable. Not thread-safe; use one instance per thread.
class HieroExtractor {
 public:
  explicit HieroExtractor(const HieroExtractOptions& options);

  // Appends the rules of sentence pair `sentence` (without orientations).
  void extract(const PackedBitext& bitext, int32_t sentence, std::vector<Occurrence>& out);

  // Counts the gaps of these occurrences, as far as they are in the first `sentences` of the
  // bitext.
  static void count_distortion(const PackedBitext& bitext, std::span<const Occurrence> occurrences,
                               int64_t sentences, DistortionCounts& counts);

 private:
  struct Context;
  void add_rules(Context& context, const PhraseSpan& phrase);
  void try_rule(Context& context, const PhraseSpan& phrase, std::span<const PhraseSpan> gaps);

  HieroExtractOptions options_;
  PhraseExtractor phrases_;
  std::vector<PhraseSpan> initial_;  // by source begin, then source end
  std::vector<int32_t> first_at_;    // index in initial_ of the first phrase at each source begin
  std::vector<uint8_t> source_linked_;
};

}  // namespace demotic::rules
