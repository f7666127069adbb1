// How a metric cuts a line into tokens, as sacrebleu 2 defines it for a signature's `tok`:
//
//   none   at white space
//   13a    as mteval-v13a (Western punctuation apart), after undoing &quot; &amp; &lt; &gt;
//   zh     Chinese characters apart, then the punctuation rules of 13a
//   char   every character that is no white space
//
// White space is Unicode's, as Python's str.split has it. A segmenter owns buffers: one a thread.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "demotic/namespaces.h"

namespace demotic::metrics {

enum class Segmentation { kNone, k13a, kChinese, kCharacters };

// Throws std::invalid_argument for a name that is none of the four above.
Segmentation segmentation_named(std::string_view name);

// Of `text` the white space at the front, in bytes; 0 if it does not begin with any.
int32_t space_front(std::string_view text) noexcept;

// Appends the pieces between white space.
void split_spaces(std::string_view text, std::vector<std::string_view>& pieces);

class Segmenter {
 public:
  explicit Segmenter(Segmentation kind) noexcept : kind_(kind) {}

  // The tokens, valid until the next call and as long as `text`.
  std::span<const std::string_view> operator()(std::string_view text);

 private:
  void load_13a(std::string_view text);
  void load_chinese(std::string_view text);
  std::string_view separate_punctuation();

  Segmentation kind_;
  std::string line_;
  std::vector<char> rooms_[2];  // the line between two rules
  std::vector<std::string_view> tokens_;
};

}  // namespace demotic::metrics
