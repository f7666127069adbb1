// How a word is written in a format that would take it for something else, and read from it.
//
// ARPA files reserve <unk>, <s> and </s>; rule tables separate fields by |||, grammars write
// nonterminals in brackets, and Moses cuts every word at | into factors. There the character that
// misleads is written as a hexadecimal character reference: the word <s> is &#x3C;s>, the word |||
// is &#x7C;&#x7C;&#x7C;. No toolkit writes these references (Moses' own escapes are &lt;, &#124;
// and so on, which stay as they are), so others' files mean what they meant. A word that already
// holds one of them gets its & written as &#x26;, so that distinct words stay distinct and every
// word is read as it was.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "demotic/namespaces.h"

namespace demotic::text {

enum class Bars : uint8_t {
  kPlain,  // written as they are
  kThree,  // references in a word that holds |||
  kEvery,  // always references
};

// What a format would misread, besides the reserved names.
struct Spelling {
  Bars bars = Bars::kPlain;
  bool brackets = false;  // words like [X]
};

inline constexpr Spelling kArpaSpelling{};

void append_spelled(std::string& out, std::string_view word, Spelling spelling);

// The word that `token` stands for, in `buffer` if it is not the token itself.
std::string_view read_spelled(std::string_view token, std::string& buffer);

// What has a form like [X] or [X][Y]: a nonterminal where the format has them.
inline bool in_brackets(std::string_view token) noexcept {
  return token.size() >= 3 && token.front() == '[' && token.back() == ']';
}

}  // namespace demotic::text
