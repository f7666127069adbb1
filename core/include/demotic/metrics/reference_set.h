// The references of a corpus as word ids: any number per sentence, words interned in order of
// appearance. BLEU and TER compare candidates with it. Immutable; shared between threads.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "demotic/base/csr.h"
#include "demotic/base/lines.h"
#include "demotic/base/stop.h"
#include "demotic/metrics/segmenter.h"
#include "demotic/text/vocabulary.h"

namespace demotic::metrics {

// The id of every word that occurs in no reference.
inline constexpr WordId kNoReferenceWord = -1;

// The id of a word in a vocabulary of reference words, or kNoReferenceWord.
WordId find_word(const Vocabulary& words, std::string_view word) noexcept;

// Throws std::invalid_argument unless every sentence i has at least one reference first[i] ..
// first[i+1].
void check_first(std::span<const int64_t> first, size_t references);

class ReferenceSet {
 public:
  // Sentence i has references[first[i] .. first[i+1]). Throws std::invalid_argument if a sentence
  // has none or `first` is inconsistent.
  ReferenceSet(const Lines& references, std::vector<int64_t> first, Segmentation segmentation,
               const StopFlag& stop);

  int64_t size() const noexcept { return static_cast<int64_t>(first_.size()) - 1; }
  Segmentation segmentation() const noexcept { return segmentation_; }
  int64_t first(int64_t sentence) const noexcept { return first_[sentence]; }
  std::span<const WordId> text(int64_t reference) const noexcept { return texts_[reference]; }

  WordId find(std::string_view word) const noexcept { return find_word(words_, word); }

  // The factor that makes average lengths integers: the least common multiple of the numbers of
  // references. If all sentences have the same number, it is that number.
  int32_t length_scale() const noexcept { return length_scale_; }
  // length_scale() times the average length of a sentence's references.
  int32_t scaled_length(int64_t sentence) const noexcept { return scaled_lengths_[sentence]; }

 private:
  void scale_lengths();

  Segmentation segmentation_;
  std::vector<int64_t> first_;
  Csr<WordId> texts_;
  Vocabulary words_;
  int32_t length_scale_ = 1;
  std::vector<int32_t> scaled_lengths_;
};

}  // namespace demotic::metrics
