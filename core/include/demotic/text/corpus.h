// Sentences as word ids in one flat array. Tokens are separated by spaces; a token longer than
// kMaxWordBytes is truncated and counted. Immutable; shared between threads; opened by mapping.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "demotic/base/csr.h"
#include "demotic/base/lines.h"
#include "demotic/base/stop.h"
#include "demotic/text/vocabulary.h"

namespace demotic::text {

class Corpus {
 public:
  Corpus() : Corpus(Csr<WordId>{}) {}
  // Throws std::invalid_argument if the offsets do not fit the words.
  explicit Corpus(Csr<WordId> sentences);

  static Corpus open(const std::string& path, bool verify, const StopFlag& stop);
  void save(const std::string& path) const;

  int64_t size() const noexcept { return static_cast<int64_t>(sentences_.size()); }
  std::span<const WordId> operator[](int64_t sentence) const noexcept {
    return sentences_[sentence];
  }
  std::span<const int64_t> offsets() const noexcept { return sentences_.offsets; }
  std::span<const WordId> words() const noexcept { return sentences_.values; }

 private:
  CsrView<WordId> sentences_;
  std::shared_ptr<const void> owner_;
};

// Collects sentences while the vocabulary grows. Everything between ASCII spaces is a word, even
// "<s>", "</s>" and "<unk>".
class CorpusBuilder {
 public:
  explicit CorpusBuilder(VocabularyBuilder& vocabulary) : vocabulary_(vocabulary) {}
  void add(const Lines& lines, const StopFlag& stop);
  Corpus finish();
  int64_t capped_tokens() const noexcept { return capped_; }

 private:
  VocabularyBuilder& vocabulary_;
  Csr<WordId> sentences_;
  int64_t capped_ = 0;
};

// Encodes with a finished vocabulary: words that are not in it become kUnknown.
Corpus encode(const Vocabulary& vocabulary, const Lines& lines, int threads, const StopFlag& stop);

// The inverse: words joined by single spaces. Throws std::out_of_range for ids without a word.
Lines decode(const Vocabulary& vocabulary, const Corpus& corpus, const StopFlag& stop);

// The number of occurrences of each id below `words`. Throws std::out_of_range for other ids.
std::vector<int64_t> count_words(const Corpus& corpus, WordId words);

}  // namespace demotic::text
