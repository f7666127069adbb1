#include "demotic/text/spelling.h"

#include "demotic/base/rng.h"
#include "test.h"

namespace demotic::test {
using namespace all;
namespace {

constexpr Spelling kMoses{.bars = Bars::kEvery, .brackets = true};
constexpr Spelling kGrammar{.bars = Bars::kThree, .brackets = true};

std::string spelled(std::string_view word, Spelling spelling) {
  std::string out;
  append_spelled(out, word, spelling);
  return out;
}

std::string read(std::string_view token) {
  std::string buffer;
  return std::string(read_spelled(token, buffer));
}

}  // namespace

TEST_CASE("only what a format would misread is written as references") {
  CHECK_EQ(spelled("<s>", kArpaSpelling), "&#x3C;s>");
  CHECK_EQ(spelled("<UNK>", kMoses), "&#x3C;UNK>");
  CHECK_EQ(spelled("<b>", kMoses), "<b>");
  CHECK_EQ(spelled("a|b", kMoses), "a&#x7C;b");
  CHECK_EQ(spelled("a|b", kGrammar), "a|b");
  CHECK_EQ(spelled("|||", kGrammar), "&#x7C;&#x7C;&#x7C;");
  CHECK_EQ(spelled("|||", kArpaSpelling), "|||");
  CHECK_EQ(spelled("[X]", kGrammar), "&#x5B;X]");
  CHECK_EQ(spelled("[X]", kArpaSpelling), "[X]");
  CHECK_EQ(spelled("[", kMoses), "[");
  CHECK_EQ(spelled("&#x3C;s>", kArpaSpelling), "&#x26;#x3C;s>");
}

TEST_CASE("escapes of other toolkits are left alone") {
  for (const char* token :
       {"&lt;s&gt;", "&#124;", "&#91;X&#93;", "&amp;", "&#x41;", "&#x3c;", "&#"})
    CHECK_EQ(read(token), token);
}

TEST_CASE("every word is read back as it was written") {
  const std::string_view parts[] = {"&",      "#x26;", "&#x3C;", "<s>", "</s>", "<unk>", "|",
                                    "&#x7C;", "[",     "]",      "X",   "#x",   "3C;",   "&#x5B;"};
  Rng rng(7);
  for (int i = 0; i < 20000; ++i) {
    std::string word;
    for (uint64_t n = 1 + rng.below(4); n > 0; --n) word += parts[rng.below(std::size(parts))];
    for (const Spelling& spelling : {kArpaSpelling, kMoses, kGrammar})
      CHECK_EQ(read(spelled(word, spelling)), word);
  }
}

}  // namespace demotic::test
