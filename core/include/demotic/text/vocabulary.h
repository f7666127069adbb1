// Words as numbers. A vocabulary is built once by adding words (ids in order of first appearance,
// after the three reserved ones) and is then immutable; it looks up words in its own flat arrays or
// in those of a mapped file, which have the same form.
//
// No text can produce the reserved ids: they have names only for display, and a word of the text
// spelled "<unk>", "<s>" or "</s>" is an ordinary word with its own id. Formats in which these
// spellings have a meaning (ARPA) handle them separately (text/spelling.h).
//
// Cost: a look-up is one hash, about one probe and one comparison. Memory per word: its bytes + 8
// for an offset + 8 for table slots, at a load of at most one half.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "demotic/base/container.h"

namespace demotic::text {

using WordId = int32_t;

inline constexpr WordId kUnknown = 0;        // <unk>
inline constexpr WordId kSentenceBegin = 1;  // <s>
inline constexpr WordId kSentenceEnd = 2;    // </s>
inline constexpr WordId kReservedWords = 3;

// Longer tokens are truncated: no language has such words, but broken files do.
inline constexpr size_t kMaxWordBytes = 4096;

// Safe to share between threads. Copies share the arrays.
class Vocabulary {
 public:
  // Maps `path`. Throws as Container does, and FormatError if its arrays are inconsistent. This is
  // checked with or without `verify`, in about 10 ms per million words; only the slot of a word in
  // the table is trusted, since looking up each word would take fifteen times as long.
  static Vocabulary open(const std::string& path, bool verify, const StopFlag& stop);
  void save(const std::string& path) const;
  // The same from sections of a container of another kind, for models with their own vocabulary.
  // `prefix` distinguishes several vocabularies of one container.
  static Vocabulary in(std::shared_ptr<const Container> container, std::string_view prefix = "");
  void write(ContainerWriter& writer, std::string_view prefix = "") const;

  WordId size() const noexcept { return static_cast<WordId>(offsets_.size() - 1); }
  // kUnknown if the word is not in the vocabulary; never another reserved id.
  WordId find(std::string_view word) const noexcept;
  // Throws std::out_of_range.
  std::string_view word(WordId id) const;
  // The id of each word of another vocabulary in this one; reserved ids are the same in both.
  std::vector<WordId> map(const Vocabulary& other) const;

 private:
  friend class VocabularyBuilder;
  std::string_view at(WordId id) const noexcept {
    return {bytes_.data() + offsets_[id], static_cast<size_t>(offsets_[id + 1] - offsets_[id])};
  }

  std::span<const char> bytes_;
  std::span<const int64_t> offsets_;  // size() + 1
  // Id + 1, or 0 for an empty slot; their number is a power of two.
  std::span<const uint32_t> slots_;
  std::shared_ptr<const void> owner_;  // the builder's arrays or the container
};

// Any bytes are a word, even none; corpora have no empty words.
class VocabularyBuilder {
 public:
  VocabularyBuilder();

  // The id of the word, never a reserved one. Throws ModelError past 2^31 - 1 words.
  WordId add(std::string_view word);
  WordId size() const noexcept { return static_cast<WordId>(offsets_.size() - 1); }
  // Hands over the arrays; the builder is empty afterwards.
  Vocabulary finish();

 private:
  WordId append(std::string_view word, size_t slot);
  void grow();

  std::vector<char> bytes_;
  std::vector<int64_t> offsets_{0};
  std::vector<uint32_t> slots_;
};

}  // namespace demotic::text
