// The words of a family's list, numbered in its order.
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "demotic/features/sparse_family.h"

namespace demotic::features {

class WordList {
 public:
  // Words that the vocabulary lacks have numbers too, but are never found.
  WordList(std::vector<std::string> words, const Vocabulary& vocabulary)
      : words_(std::move(words)), numbers_(vocabulary.size(), kNone) {
    for (size_t i = 0; i < words_.size(); ++i)
      if (const WordId id = vocabulary.find(words_[i]); id != kUnknown)
        numbers_[id] = static_cast<uint32_t>(i);
  }

  static constexpr uint32_t kNone = UINT32_MAX;

  uint32_t size() const noexcept { return static_cast<uint32_t>(words_.size()); }
  // The number of a word, or kNone; gaps and words outside of the vocabulary have none.
  uint32_t find(Symbol word) const noexcept {
    return word >= 0 && static_cast<size_t>(word) < numbers_.size() ? numbers_[word] : kNone;
  }
  // The same, with the size of the list for all other words.
  uint32_t find_or_size(Symbol word) const noexcept { return std::min(find(word), size()); }
  std::string name(uint64_t number) const { return number < size() ? words_[number] : "<unk>"; }

 private:
  std::vector<std::string> words_;
  std::vector<uint32_t> numbers_;  // by word id
};

}  // namespace demotic::features
