// The best score that each uncovered stretch of a sentence can still bring: its best segmentation
// into phrases, each with its estimate, monotone, no language model across the joints (the future
// cost of Koehn et al. 2003; best(x[i:j]) of Liu & Huang 2014, Algorithm 1).
//
// A search with a distortion limit asks only for stretches inside its window and for those that
// reach the end of the sentence, so only these are worked out: O(length * window * phrase length).
#pragma once

#include <cstdint>
#include <vector>

#include "demotic/search/phrase_translation_options.h"

namespace demotic::search {

class FutureCosts {
 public:
  // Stretches of up to `window` words, and all that reach the end.
  void build(const PhraseTranslationOptions& options, int32_t length, int32_t window);

  float operator()(int32_t begin, int32_t end) const noexcept { return at(begin, end).score; }
  // visit(option) for the translation options of the best segmentation of [begin, end), from left
  // to right; `options` are those it was built from.
  template <typename Visit>
  void for_each_phrase(const PhraseTranslationOptions& options, int32_t begin, int32_t end,
                       Visit&& visit) const {
    while (begin < end) {
      const int32_t next = begin + at(begin, end).phrase;
      for (const PhraseSpan& span : options.starting_at(begin))
        if (span.end == next) visit(span.first);
      begin = next;
    }
  }

 private:
  struct Best {
    float score = 0;
    int32_t phrase = 0;
  };
  const Best& at(int32_t begin, int32_t end) const noexcept {
    return end == length_ ? suffixes_[begin]
                          : table_[begin * (window_ + size_t{1}) + (end - begin)];
  }

  int32_t length_ = 0, window_ = 0;
  std::vector<Best> table_;     // by begin, then by number of words
  std::vector<Best> suffixes_;  // by begin
};

}  // namespace demotic::search
