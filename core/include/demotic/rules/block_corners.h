// Whether a block of a sentence pair has a corner at given positions. Blocks are consistent phrase
// pairs, also long ones, including those with unaligned words at their edges. Hierarchical
// orientations (Galley & Manning 2008) ask whether a block is adjacent to a phrase at one of its
// corners.
//
// If there is one, there is a smallest one: it has the nearest linked word on the source side, and
// with every word all words linked to it and all words up to the corner. It is found by adding
// these words until none is missing, or one is beyond the corner.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "demotic/rules/phrase_extract.h"

namespace demotic::rules {

// Reusable. Not thread-safe; use one instance per thread.
class BlockCorners {
 public:
  // The words that the words of each side are linked to, which must outlive the calls below. Blocks
  // have up to 100 words per side. Memory: one byte per pair of positions.
  void read(std::span<const Reach> source, std::span<const Reach> target);

  // As PhraseExtractor's, relative to the blocks before and after the phrase. Time: the size of the
  // smallest blocks, once per corner.
  Orientation previous(const PhraseSpan& phrase) noexcept;
  Orientation next(const PhraseSpan& phrase) noexcept;

 private:
  // Which corner of a block, and so which neighbours: the block ends or begins at a source and a
  // target position.
  enum Corner : uint8_t { kEndEnd, kBeginEnd, kBeginBegin, kEndBegin };
  // The words of a block on one side, from the corner on: before it, or after it.
  struct Side {
    std::span<const Reach> reach;
    int32_t corner;
    bool before;
    int32_t words = 0, read = 0;  // in the block; whose links were followed

    int32_t word(int32_t i) const noexcept { return before ? corner - 1 - i : corner + i; }
    int32_t words_up_to(int32_t position) const noexcept {
      return before ? corner - position : position + 1 - corner;
    }
    bool add_first_linked() noexcept;
    bool follow_links(Side& other) noexcept;
  };

  bool has(Corner corner, int32_t source, int32_t target) noexcept;
  bool find(Corner corner, int32_t source, int32_t target) const noexcept;

  std::span<const Reach> source_, target_;
  std::vector<uint8_t> known_;  // by source and target position: two bits per corner
};

}  // namespace demotic::rules
