// Future costs: the score of the best segmentation of each uncovered span into phrases, each with
// its estimate, in monotone order and without language model context between phrases (Koehn et al.
// 2003; best(x[i:j]) of Liu & Huang 2014, Algorithm 1).
//
// Only dense features count. Training updates the sparse features of the two derivations that it
// compares; if those of their futures counted too, an update would not change what it compares:
// with such futures max-violation updates ruined the model (docs/training-results.md).
//
// A search with a distortion limit only needs spans inside its window and spans that reach the end
// of the sentence, so only these are computed: O(length * window * phrase length).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "demotic/search/coverage.h"
#include "demotic/search/phrase_translation_options.h"

namespace demotic::search {

class FutureCosts {
 public:
  // For spans of up to `window` words and all spans that reach the end.
  void build(const PhraseTranslationOptions& options, int32_t length, int32_t window);

  float operator()(int32_t begin, int32_t end) const noexcept { return at(begin, end).score; }
  // Calls visit(option) for the translation options of the best segmentation of [begin, end), from
  // left to right; `options` must be those passed to `build`.
  template <typename Visit>
  void for_each_phrase(const PhraseTranslationOptions& options, int32_t begin, int32_t end,
                       Visit&& visit) const {
    while (begin < end) {
      const int32_t next = begin + at(begin, end).phrase;
      if (next == begin) return;  // constraints allow no segmentation
      for (const PhraseSpan& span : options.starting_at(begin))
        if (span.end == next) visit(span.future);
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

// The cost of the jumps that a partial translation still has to make, which monotone segmentations
// leave out: their distance, and for each jump the difference between discontinuous and monotone
// orientation for the phrase before it and the phrase after it. Which phrases these will be is not
// known, so the difference is the mean over the best options of all spans of the sentence.
class FutureJumps {
 public:
  // `early`: distances were charged in advance (Moore & Quirk 2007).
  void build(const PhraseModel& model, const PhraseTranslationOptions& options,
             std::span<const double> weights, bool early);

  float operator()(const Jumps& jumps) const noexcept {
    return each_ * static_cast<float>(jumps.count) + word_ * static_cast<float>(jumps.distance);
  }
  // Adds the features of the jumps.
  void add_features(const PhraseModel& model, const PhraseTranslationOptions& options,
                    const Jumps& jumps, std::span<double> values) const;

 private:
  float each_ = 0, word_ = 0;  // of a jump, and of each word that it passes
  bool early_ = false;
};

// What a search that ranks by score alone still knows of the future: the penalties of unknown
// words. Every derivation pays them, so hypotheses that have not paid yet must not win by that.
class UnknownPenalties {
 public:
  void build(const PhraseTranslationOptions& options, int32_t length, double penalty);

  int32_t words(int32_t begin, int32_t end) const noexcept { return before_[end] - before_[begin]; }
  float operator()(int32_t begin, int32_t end) const noexcept {
    return static_cast<float>(penalty_ * words(begin, end));
  }

 private:
  double penalty_ = 0;
  std::vector<int32_t> before_;  // unknown words, by position
};

}  // namespace demotic::search
