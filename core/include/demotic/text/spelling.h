// Writes and reads words in formats that would otherwise mistake them for something else.
//
// ARPA files reserve <unk>, <s> and </s>; rule tables separate fields by |||, grammars write
// nonterminals in brackets, and Moses splits every word at | into factors. There the ambiguous
// character is written as a hexadecimal character reference: the word <s> is &#x3C;s>, the word |||
// is &#x7C;&#x7C;&#x7C;. No toolkit writes these references (Moses' own escapes are &lt;, &#124;
// and so on, which are left alone), so foreign files keep their meaning. In a word that already
// contains such a reference, the & is written as &#x26;, so that distinct words stay distinct and
// every word is read back exactly.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "demotic/namespaces.h"

namespace demotic::text {

enum class Bars : uint8_t {
  kPlain,  // written unchanged
  kThree,  // as references in words that contain |||
  kEvery,  // always as references
};

// What a format would misread, in addition to the reserved names.
struct Spelling {
  Bars bars = Bars::kPlain;
  bool brackets = false;  // words like [X]
};

inline constexpr Spelling kArpaSpelling{};

void append_spelled(std::string& out, std::string_view word, Spelling spelling);

// The word that `token` stands for; it is in `buffer` if it differs from the token.
std::string_view read_spelled(std::string_view token, std::string& buffer);

// Whether a token has the form [X] or [X][Y]: a nonterminal in formats that have them.
inline bool in_brackets(std::string_view token) noexcept {
  return token.size() >= 3 && token.front() == '[' && token.back() == ']';
}

}  // namespace demotic::text
