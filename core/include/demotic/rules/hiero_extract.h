// Hierarchical rules (Chiang 2007, section 3.2): initial phrases with up to two smaller initial
// phrases taken out of them as gaps.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "demotic/rules/phrase_extract.h"

namespace demotic::rules {

struct HieroOptions {
  int32_t max_initial = 10;        // words of an initial phrase, on either side
  int32_t max_source_symbols = 5;  // words and gaps on the source side of a rule
  int32_t max_gaps = 2;            // 0 to 2
  int32_t min_gap = 1;             // source words under a gap
  bool tight = false;              // initial phrases without unaligned edge words
  bool adjacent_gaps = false;      // two gaps may touch on the source side
  bool require_link = true;        // at least one link between two words of the rule
  bool share_count = true;         // an initial phrase's count of 1 is shared among its rules
};

// How often a gap was reordered (crossed by a link or another gap of its rule), by the number of
// source words under it, 1 to 10 (10 = "10 or more"): C08's structural distortion.
struct DistortionCounts {
  std::array<std::array<int64_t, 11>, 2> counts{};  // [reordered][size]; size 0 is unused
};

// Reused from sentence to sentence; one a thread.
class HieroExtractor {
 public:
  explicit HieroExtractor(const HieroOptions& options);

  // Appends the rules of sentence pair `sentence` (without orientations).
  void extract(const PackedBitext& bitext, int32_t sentence, std::vector<Occurrence>& out);

  // Adds the gaps of these occurrences.
  static void count_distortion(const PackedBitext& bitext, std::span<const Occurrence> occurrences,
                               DistortionCounts& counts);

 private:
  struct Context;
  void add_rules(Context& context, const PhraseSpan& phrase);
  void try_rule(Context& context, const PhraseSpan& phrase, std::span<const PhraseSpan> gaps);

  HieroOptions options_;
  PhraseExtractor phrases_;
  std::vector<PhraseSpan> initial_;  // by source begin, then source end
  std::vector<int32_t> first_at_;    // initial_ index of the first phrase at each source begin
  std::vector<uint8_t> source_linked_;
};

}  // namespace demotic::rules
