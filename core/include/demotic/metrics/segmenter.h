// How a metric splits a line into tokens, as sacrebleu 2 defines it for a signature's `tok`:
//
//   none   at white space
//   13a    as mteval-v13a (separates Western punctuation), after unescaping &quot; &amp; &lt; &gt;
//   zh     separates Chinese characters, then applies the punctuation rules of 13a
//   char   every character that is not white space
//
// White space is Unicode's, as in Python's str.split. A segmenter owns buffers; use one per thread.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "demotic/namespaces.h"

namespace demotic::metrics {

enum class Segmentation { kNone, k13a, kChinese, kCharacters };

// Throws std::invalid_argument for a name other than the four above.
Segmentation segmentation_named(std::string_view name);

// The number of bytes of the white space character at the start of `text`; 0 if there is none.
int32_t space_front(std::string_view text) noexcept;

// Appends the parts between white space.
void split_spaces(std::string_view text, std::vector<std::string_view>& pieces);

class Segmenter {
 public:
  explicit Segmenter(Segmentation kind) noexcept : kind_(kind) {}

  // The tokens, valid until the next call and as long as `text` is.
  std::span<const std::string_view> operator()(std::string_view text);

 private:
  void load_13a(std::string_view text);
  void load_chinese(std::string_view text);
  std::string_view separate_punctuation();

  Segmentation kind_;
  std::string line_;
  std::vector<char> buffers_[2];  // the line between two rules
  std::vector<std::string_view> tokens_;
};

}  // namespace demotic::metrics
