#include "demotic/text/spelling.h"

#include <algorithm>

namespace demotic::text {
namespace {

constexpr std::string_view kReserved[] = {"<unk>", "<UNK>", "<s>", "</s>"};

struct Reference {
  char sign;
  std::string_view text;
};
constexpr Reference kReferences[] = {
    {'&', "&#x26;"}, {'<', "&#x3C;"}, {'[', "&#x5B;"}, {'|', "&#x7C;"}};
constexpr size_t kReferenceSize = 6;

const Reference* reference_at(std::string_view text) noexcept {
  const auto found = std::ranges::find_if(
      kReferences, [&](const Reference& reference) { return text.starts_with(reference.text); });
  return found == std::end(kReferences) ? nullptr : found;
}

void append_reference(std::string& out, char sign) {
  out += std::ranges::find(kReferences, sign, &Reference::sign)->text;
}

}  // namespace

void append_spelled(std::string& out, std::string_view word, Spelling spelling) {
  const bool first = std::ranges::find(kReserved, word) != std::end(kReserved) ||
                     (spelling.brackets && in_brackets(word));
  const bool bars = spelling.bars == Bars::kEvery ||
                    (spelling.bars == Bars::kThree && word.find("|||") != word.npos);
  for (size_t i = 0; i < word.size(); ++i) {
    const char c = word[i];
    const bool replaced = (i == 0 && first) || (c == '|' && bars) ||
                          (c == '&' && reference_at(word.substr(i)) != nullptr);
    replaced ? append_reference(out, c) : out.push_back(c);
  }
}

std::string_view read_spelled(std::string_view token, std::string& buffer) {
  size_t at = token.find("&#x");
  if (at == token.npos) return token;
  buffer.assign(token.substr(0, at));
  while (at < token.size()) {
    const Reference* reference = reference_at(token.substr(at));
    buffer.push_back(reference == nullptr ? token[at] : reference->sign);
    at += reference == nullptr ? 1 : kReferenceSize;
  }
  return buffer;
}

}  // namespace demotic::text
