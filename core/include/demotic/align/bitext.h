// The sentence pairs that a word aligner learns from.
#pragma once

#include <cstdint>
#include <vector>

#include "demotic/text/corpus.h"

namespace demotic::align {

// Line i of one side belongs to line i of the other. Pairs with an empty side cannot be aligned,
// and very long ones (mostly broken segmentation) would take time quadratic in their length: both
// are excluded from training and counted.
struct Bitext {
  const Corpus& source;
  const Corpus& target;
  std::vector<int64_t> used;  // the pairs used for training, ascending
  int64_t empty = 0;
  int64_t too_long = 0;

  // Throws std::invalid_argument if the sides have different numbers of sentences.
  Bitext(const Corpus& source_side, const Corpus& target_side, int64_t max_length);

  size_t size() const noexcept { return used.size(); }
  std::span<const WordId> source_of(size_t pair) const noexcept { return source[used[pair]]; }
  std::span<const WordId> target_of(size_t pair) const noexcept { return target[used[pair]]; }
  int64_t cells_of(size_t pair) const noexcept {
    return static_cast<int64_t>(source_of(pair).size() * target_of(pair).size());
  }
};

// The largest id of a side plus one; 0 if it has no words.
WordId id_bound(const Corpus& corpus);

// Throws std::invalid_argument if the sides have different numbers of sentences.
void check_parallel(const Corpus& source, const Corpus& target);

}  // namespace demotic::align
