// Consistent phrase pairs (Och et al. 1999; Koehn et al. 2003): no word inside is linked to a word
// outside, and there is at least one link. "Loose" keeps every pair, including those with unaligned
// words at their edges, as Moses does; "tight" keeps only those whose four edge words are linked.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "demotic/rules/occurrence.h"

namespace demotic::rules {

// Half-open spans on both sides.
struct PhraseSpan {
  int32_t source_begin, source_end, target_begin, target_end;

  int32_t source_size() const noexcept { return source_end - source_begin; }
  int32_t target_size() const noexcept { return target_end - target_begin; }
};

// The words linked to a word: [low, high], empty if low > high.
struct Reach {
  int32_t low, high;
  bool linked() const noexcept { return low <= high; }
  void add(int32_t position) noexcept {
    if (position < low) low = position;
    if (position > high) high = position;
  }
};

// Reusable. Not thread-safe; use one instance per thread.
class PhraseExtractor {
 public:
  PhraseExtractor(int32_t max_source, int32_t max_target, bool tight)
      : max_source_(max_source), max_target_(max_target), tight_(tight) {}

  // The phrase pairs of a sentence pair, ordered by target begin, target end, source. Time
  // O(target words * max_target * max_source). The result is valid until the next call.
  std::span<const PhraseSpan> extract(const PackedPair& pair);

  // The same for one source phrase of a pair, ordered by falling target begin, then target end:
  // first `read`, then any number of source phrases. Time O(words + links) for the pair.
  void read(const PackedPair& pair);
  std::span<const PhraseSpan> with_source(int32_t begin, int32_t end);

  // By word of the last pair.
  std::span<const Reach> source_reach() const noexcept { return source_reach_; }
  std::span<const Reach> target_reach() const noexcept { return target_reach_; }

  // Orientation relative to the previous phrase (at the target begin) and the next (at the target
  // end), by the links at the phrase's corners. For phrases of the last pair.
  Orientation previous(const PhraseSpan& phrase) const noexcept;
  Orientation next(const PhraseSpan& phrase) const noexcept;

 private:
  static Reach reach_of(std::span<const Reach> words) noexcept;
  static bool closed(std::span<const Reach> words, int32_t begin, int32_t end) noexcept;
  template <typename Add>
  void extend(std::span<const Reach> words, int32_t begin, int32_t end, int32_t most, Add&& add);
  bool linked(int32_t source, int32_t target) const noexcept;

  int32_t max_source_, max_target_;
  bool tight_;
  std::span<const PackedLink> links_;
  std::vector<Reach> source_reach_, target_reach_;
  std::vector<uint32_t> first_link_;  // by source word
  std::vector<PhraseSpan> phrases_;
};

}  // namespace demotic::rules
