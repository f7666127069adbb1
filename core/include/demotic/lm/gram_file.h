// N-grams on disk: fixed-size records that are sorted, and sequential files of them.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "demotic/base/record_file.h"
#include "demotic/lm/ngrams.h"

namespace demotic::lm {

// Words from the first; unused ones are 0. What the two values mean depends on the step.
template <int Width>
struct Gram {
  std::array<uint32_t, Width> words{};
  uint64_t first = 0, second = 0;
};
static_assert(sizeof(Gram<4>) == 32 && sizeof(Gram<12>) == 64);
static_assert(kMaxLmOrder <= 12);

// The n-gram of the highest order that begins at a token, counted once; shorter at the end of the
// sentence, which is the last token that is read.
template <int Width>
Gram<Width> gram_at(const uint32_t* token, int order) noexcept {
  Gram<Width> gram{.first = 1};
  for (int k = 0; k < order; ++k) {
    gram.words[k] = token[k];
    if (token[k] == kSentenceEnd) break;
  }
  return gram;
}

// Of the first n words.
template <int Width>
int compare(const Gram<Width>& a, const Gram<Width>& b, int n) noexcept {
  for (int k = 0; k < n; ++k)
    if (a.words[k] != b.words[k]) return a.words[k] < b.words[k] ? -1 : 1;
  return 0;
}

// By all words from the first.
template <int Width>
struct ByWords {
  uint64_t key(const Gram<Width>& gram) const noexcept {
    return uint64_t{gram.words[0]} << 32 | gram.words[1];
  }
  bool less(const Gram<Width>& a, const Gram<Width>& b) const noexcept {
    return compare(a, b, Width) < 0;
  }
};

// The same, and counts of equal n-grams, in `first`, are added up.
template <int Width>
struct ByWordsAdding : ByWords<Width> {
  void combine(Gram<Width>& to, const Gram<Width>& from) const noexcept { to.first += from.first; }
};

// By all words but the first, and then by the first.
template <int Width>
struct BySuffix {
  uint64_t key(const Gram<Width>& gram) const noexcept {
    return uint64_t{gram.words[1]} << 32 | gram.words[2];
  }
  bool less(const Gram<Width>& a, const Gram<Width>& b) const noexcept {
    for (int k = 3; k < Width; ++k)
      if (a.words[k] != b.words[k]) return a.words[k] < b.words[k];
    return a.words[0] < b.words[0];
  }
};

template <int Width>
using GramFile = RecordFile<Gram<Width>>;

}  // namespace demotic::lm
