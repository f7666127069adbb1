// The orientation of a phrase relative to the phrases around it, which lexicalised reordering
// scores.
//
// Word-based (Koehn et al. 2005): relative to the previous phrase. Hierarchical (Galley & Manning
// 2008): relative to the block that the previous phrase is part of. Blocks are approximated by
// coverage, as by Cherry, Moore & Quirk (2012) and in Moses for the next phrase: the block before a
// phrase is the longest run of covered words that contains the previous phrase, and the block after
// it may still fill any words that are not covered. So orientations need no further state.
#pragma once

#include <array>
#include <cstdint>

namespace demotic::search {

enum Orientation : uint8_t { kMonotone, kSwap, kDiscontinuous };
inline constexpr int kOrientations = 3;

// When a phrase is placed: its own, relative to what came before, and that of the previous phrase,
// relative to what comes next.
struct Orientations {
  Orientation backward, forward;
};

// The previous phrase covers [last_begin, last_end); last_begin may be -1 if the word before it is
// covered. At the start both are as if a phrase ended at word 0.
inline Orientations word_orientations(int32_t last_begin, int32_t last_end, int32_t begin,
                                      int32_t end) noexcept {
  const Orientation both = begin == last_end   ? kMonotone
                           : end == last_begin ? kSwap
                                               : kDiscontinuous;
  return {both, both};
}

// covered(i): whether word i is covered before [begin, end) is.
template <typename Covered>
Orientations hierarchical_orientations(int32_t last_begin, int32_t last_end, int32_t begin,
                                       int32_t end, Covered&& covered) noexcept {
  const auto run = [&](int32_t from, int32_t to) {
    while (from < to && covered(from)) ++from;
    return from == to;
  };
  Orientations found{kDiscontinuous, kDiscontinuous};
  if (begin >= last_end) {
    if (run(last_end, begin)) found.backward = kMonotone;
    if (begin == last_end || !covered(last_end)) found.forward = kMonotone;
  } else {
    if (run(end, last_end)) found.backward = kSwap;
    if (end <= last_begin) found.forward = kSwap;
  }
  return found;
}

}  // namespace demotic::search
