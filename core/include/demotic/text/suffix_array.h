// Suffix arrays of texts of words, by induced sorting (SA-IS; Nong, Zhang & Chan 2009): linear time
// and, besides the text and the result, up to ten bytes per word. One thread; the two sides of a
// bitext are sorted by two.
#pragma once

#include <cstdint>
#include <span>

#include "demotic/base/huge_pages.h"
#include "demotic/base/stop.h"
#include "demotic/text/vocabulary.h"

namespace demotic::text {

// The positions of all suffixes of `text` in lexicographic order; a suffix comes before its
// extensions. The words are at least 0 and below `words`. Throws ModelError past 2^32 - 2 words,
// Interrupted.
HugeVector<uint32_t> suffix_array(std::span<const WordId> text, WordId words, const StopFlag& stop);

}  // namespace demotic::text
