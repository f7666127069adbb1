// The corners of all blocks of a sentence pair: consistent phrase pairs, also long ones, including
// those with unaligned words at their edges. Hierarchical orientations (Galley & Manning 2008) ask
// whether a block is adjacent to a phrase at one of its corners.
#pragma once

#include <cstdint>
#include <vector>

#include "demotic/rules/phrase_extract.h"

namespace demotic::rules {

// Reusable. Not thread-safe; use one instance per thread.
class BlockCorners {
 public:
  // Blocks of up to 100 words. Memory: one byte per pair of positions.
  void find(const PackedPair& pair);

  // As PhraseExtractor's, relative to the blocks before and after the phrase.
  Orientation previous(const PhraseSpan& phrase) const noexcept;
  Orientation next(const PhraseSpan& phrase) const noexcept;

 private:
  // Which corner of a block, and so which neighbours: the block ends or begins at a source and a
  // target position.
  enum Corner : uint8_t { kEndEnd = 1, kBeginEnd = 2, kBeginBegin = 4, kEndBegin = 8 };
  bool has(Corner corner, int32_t source, int32_t target) const noexcept {
    return (corners_[source * (target_words_ + size_t{1}) + target] & corner) != 0;
  }
  void add(const PhraseSpan& block) noexcept;

  int32_t source_words_ = 0, target_words_ = 0;
  std::vector<uint8_t> corners_;  // by source and target position, the ends of sentences included
};

}  // namespace demotic::rules
