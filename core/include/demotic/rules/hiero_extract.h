// Hierarchical rules (Chiang 2007, section 3.2): initial phrases in which up to two smaller initial
// phrases are replaced by gaps.
#pragma once

#include <array>
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
  // Rules with gaps are removed after counting if their count, divided by the number of sets of
  // links, is lower.
  double min_gapped_count = 0;
};

// Half-open spans on both sides, in eight bytes.
struct InitialPhrase {
  uint16_t source_begin, source_end, target_begin, target_end;

  int32_t source_size() const noexcept { return source_end - source_begin; }
  int32_t target_size() const noexcept { return target_end - target_begin; }
};

// All initial phrases of a sentence pair.
struct InitialPhrases {
  std::span<const InitialPhrase> phrases;  // by source begin, source end, target begin, target end
  std::span<const uint32_t> first_at;      // index of the first one at each source begin
  std::span<const uint16_t> linked_below;  // how many source words with links precede each one

  std::span<const InitialPhrase> at(int32_t begin) const noexcept {
    return phrases.subspan(first_at[begin], first_at[begin + 1] - first_at[begin]);
  }
  std::span<const InitialPhrase> with_source(int32_t begin, int32_t end) const noexcept;
};

// Where source words of a rule occur: a span and the gaps between its words, in order.
struct SourcePlace {
  struct Gap {
    int32_t begin, end;
  };

  int32_t begin = 0, end = 0;
  int32_t gap_count = 0;
  std::array<Gap, kMaxGaps> gaps{};
};

// Which sides of the words of a rule have a gap: bit 0 before them, bit 1 after them.
inline constexpr size_t kFrames = 4;
inline constexpr size_t kGapBefore = 1, kGapAfter = 2;
constexpr int32_t outer_gaps(size_t frame) noexcept {
  return static_cast<int32_t>((frame & 1) + (frame >> 1));
}
using FrameSet = uint8_t;  // a bit per frame
constexpr bool contains(FrameSet set, size_t frame) noexcept { return (set >> frame & 1) != 0; }

// Reusable. Not thread-safe; use one instance per thread.
class HieroExtractor {
 public:
  explicit HieroExtractor(const HieroExtractOptions& options);

  // Appends the rules of sentence pair `sentence` (without orientations).
  void extract(const PackedBitext& bitext, int32_t sentence, std::vector<Occurrence>& out);
  // The same without their places; without `gaps` only the rules that have none, with the same
  // counts.
  void count(const PackedBitext& bitext, int32_t sentence, bool gaps, std::vector<HashedRule>& out);
  // The initial phrases of a pair; valid until the next call of this or `extract`.
  InitialPhrases read(const PackedPair& pair);

  // One pair, from which single rules are extracted: `rules` has the number of rules of each of its
  // initial phrases, or 0 until it is needed and counted.
  struct Row {
    const PackedBitext& bitext;
    int32_t sentence;
    InitialPhrases initial;
    std::span<uint32_t> rules;
  };
  using Framed = std::array<std::vector<Occurrence>, kFrames>;
  // Appends the rules whose source words are at `place`, by frame: without further gaps, and with
  // gaps of any size before or after the words, as far as they are in `frames`. Adjacent gaps are
  // not found.
  void extract_at(const Row& row, const SourcePlace& place, FrameSet frames, Framed& out);

  // Counts the gaps of these occurrences, as far as they are in the first `sentences` of the
  // bitext.
  static void count_distortion(const PackedBitext& bitext, std::span<const Occurrence> occurrences,
                               int64_t sentences, DistortionCounts& counts);

 private:
  struct Context;
  using Choices = std::span<const InitialPhrase>;  // for a gap

  bool usable(const InitialPhrase& gap, const InitialPhrase& phrase) const noexcept;
  bool admits(const InitialPhrases& all, const InitialPhrase& phrase,
              std::span<const InitialPhrase> gaps) const noexcept;
  template <typename Record, typename Make>
  void extract_pair(const PackedBitext& bitext, int32_t sentence, bool gaps,
                    std::vector<Record>& out, Make&& make);
  template <typename Visit>
  void for_each_rule(const InitialPhrases& all, const InitialPhrase& phrase, Visit&& visit) const;
  uint32_t count_rules(const InitialPhrases& all, const InitialPhrase& phrase) const;
  void add_rules_with(Context& context, const InitialPhrase& phrase, std::span<const Choices> gaps);

  HieroExtractOptions options_;
  PhraseExtractor phrases_;
  std::vector<InitialPhrase> initial_;
  std::vector<uint32_t> first_at_;
  std::vector<uint16_t> linked_below_;
};

}  // namespace demotic::rules
