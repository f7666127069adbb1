// Hashes of all short spans of a sentence, each computed from the previous one.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "demotic/rules/occurrence.h"

namespace demotic::rules {

class SpanHashes {
 public:
  explicit SpanHashes(int32_t longest) : longest_(longest) {}

  void assign(std::span<const WordId> words) {
    const auto size = static_cast<int32_t>(words.size());
    hashes_.resize(words.size() * longest_);
    for (int32_t begin = 0; begin < size; ++begin) {
      uint64_t hash = kEmptySide;
      for (int32_t k = 0; k < longest_ && begin + k < size; ++k)
        hashes_[size_t(begin) * longest_ + k] = hash = with_symbol(hash, words[begin + k]);
    }
  }

  // The hash of `size` words from `begin` on, 1 to `longest`.
  uint64_t operator()(int32_t begin, int32_t size) const noexcept {
    return hashes_[size_t(begin) * longest_ + size - 1];
  }

 private:
  int32_t longest_;
  std::vector<uint64_t> hashes_;
};

}  // namespace demotic::rules
