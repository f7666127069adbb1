#include "demotic/metrics/segmenter.h"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <utility>

#include "demotic/base/utf8.h"

namespace demotic::metrics {

namespace {

bool is_space(int32_t code) noexcept {
  if (code < 0x80) return (code >= 0x09 && code <= 0x0D) || (code >= 0x1C && code <= 0x20);
  return code == 0x85 || code == 0xA0 || code == 0x1680 || (code >= 0x2000 && code <= 0x200A) ||
         code == 0x2028 || code == 0x2029 || code == 0x202F || code == 0x205F || code == 0x3000;
}

// The ranges of sacrebleu's `zh`. Its two entries beyond the basic plane are written such that they
// actually denote U+2001-2A6D and U+2F81-2FA1; this is kept so that scores are comparable.
constexpr std::array<std::pair<int32_t, int32_t>, 22> kChineseRanges{{
    {0x3400, 0x4DB5}, {0x4E00, 0x9FA5}, {0x9FA6, 0x9FBB}, {0xF900, 0xFA2D}, {0xFA30, 0xFA6A},
    {0xFA70, 0xFAD9}, {0x2001, 0x2A6D}, {0x2F81, 0x2FA1}, {0xFF00, 0xFFEF}, {0x2E80, 0x2EFF},
    {0x3000, 0x303F}, {0x31C0, 0x31EF}, {0x2F00, 0x2FDF}, {0x2FF0, 0x2FFF}, {0x3100, 0x312F},
    {0x31A0, 0x31BF}, {0xFE10, 0xFE1F}, {0xFE30, 0xFE4F}, {0x2600, 0x26FF}, {0x2700, 0x27BF},
    {0x3200, 0x32FF}, {0x3300, 0x33FF},
}};

bool is_chinese(int32_t code) noexcept {
  if (code < 0x2001) return false;
  return std::ranges::any_of(
      kChineseRanges, [=](auto range) { return code >= range.first && code <= range.second; });
}

bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }
bool is_stop(char c) noexcept { return c == '.' || c == ','; }

// ASCII punctuation except ' , - . (and the space, which the rule also lists).
constexpr std::array<bool, 256> kSymbols = [] {
  std::array<bool, 256> found{};
  for (const char c : std::string_view("{|}~[\\]^_` !\"#$%&()*+:;<=>?@/"))
    found[static_cast<uint8_t>(c)] = true;
  return found;
}();
bool is_symbol(char c) noexcept { return kSymbols[static_cast<uint8_t>(c)]; }

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (size_t at = text.find(from); at != text.npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

// The four rules, each a left-to-right pass over the output of the previous one; they return the
// end of what they wrote. They work on bytes, since they only match ASCII, and no byte becomes more
// than three. The first rule would turn one space into three, which makes no difference later.
using Rule = char* (*)(std::string_view in, char* out);

char* symbols_apart(std::string_view in, char* out) {
  for (const char c : in) {
    if (c != ' ' && is_symbol(c)) {
      *out++ = ' ';
      *out++ = c;
      *out++ = ' ';
    } else {
      *out++ = c;
    }
  }
  return out;
}

char* stops_not_after_digit(std::string_view in, char* out) {
  for (size_t i = 0; i < in.size(); ++i) {
    *out++ = in[i];
    if (i + 1 < in.size() && is_stop(in[i + 1]) && !is_digit(in[i])) {
      *out++ = ' ';
      *out++ = in[++i];
      *out++ = ' ';
    }
  }
  return out;
}

char* stops_not_before_digit(std::string_view in, char* out) {
  for (size_t i = 0; i < in.size(); ++i) {
    if (is_stop(in[i]) && i + 1 < in.size() && !is_digit(in[i + 1])) {
      *out++ = ' ';
      *out++ = in[i];
      *out++ = ' ';
      *out++ = in[++i];
    } else {
      *out++ = in[i];
    }
  }
  return out;
}

char* dash_after_digit(std::string_view in, char* out) {
  for (size_t i = 0; i < in.size(); ++i) {
    *out++ = in[i];
    if (i + 1 < in.size() && in[i + 1] == '-' && is_digit(in[i])) {
      *out++ = ' ';
      *out++ = in[++i];
      *out++ = ' ';
    }
  }
  return out;
}

// A character, or a single invalid byte.
Utf8Char front(std::string_view text) noexcept {
  if (static_cast<uint8_t>(text[0]) < 0x80) return {text[0], 1};
  return utf8_front(text);
}

std::string_view without_last_spaces(std::string_view text) noexcept {
  while (!text.empty()) {
    size_t last = text.size() - 1;
    while (last > 0 && (static_cast<uint8_t>(text[last]) & 0xC0) == 0x80) --last;
    if (!is_space(front(text.substr(last)).code)) break;
    text = text.substr(0, last);
  }
  return text;
}

void split_characters(std::string_view text, std::vector<std::string_view>& pieces) {
  for (size_t at = 0; at < text.size();) {
    const Utf8Char next = front(text.substr(at));
    if (!is_space(next.code)) pieces.push_back(text.substr(at, next.size));
    at += next.size;
  }
}

}  // namespace

Segmentation segmentation_named(std::string_view name) {
  if (name == "none") return Segmentation::kNone;
  if (name == "13a") return Segmentation::k13a;
  if (name == "zh") return Segmentation::kChinese;
  if (name == "char") return Segmentation::kCharacters;
  throw std::invalid_argument("unknown segmentation '" + std::string(name) + "'");
}

int32_t space_front(std::string_view text) noexcept {
  if (text.empty()) return 0;
  const Utf8Char next = front(text);
  return is_space(next.code) ? next.size : 0;
}

void split_spaces(std::string_view text, std::vector<std::string_view>& pieces) {
  size_t begin = 0;
  for (size_t at = 0; at < text.size();) {
    if (const auto byte = static_cast<uint8_t>(text[at]); byte > ' ' && byte < 0x80) {
      ++at;
      continue;
    }
    const Utf8Char next = front(text.substr(at));
    if (is_space(next.code)) {
      if (at > begin) pieces.push_back(text.substr(begin, at - begin));
      begin = at + next.size;
    }
    at += next.size;
  }
  if (text.size() > begin) pieces.push_back(text.substr(begin));
}

std::span<const std::string_view> Segmenter::operator()(std::string_view text) {
  tokens_.clear();
  switch (kind_) {
    case Segmentation::kNone:
      split_spaces(text, tokens_);
      return tokens_;
    case Segmentation::kCharacters:
      split_characters(text, tokens_);
      return tokens_;
    case Segmentation::k13a:
      load_13a(text);
      break;
    case Segmentation::kChinese:
      load_chinese(text);
      break;
  }
  split_spaces(separate_punctuation(), tokens_);
  return tokens_;
}

void Segmenter::load_13a(std::string_view text) {
  line_.assign(without_last_spaces(text));
  replace_all(line_, "<skipped>", "");
  replace_all(line_, "-\n", "");
  replace_all(line_, "\n", " ");
  if (line_.find('&') != line_.npos) {
    replace_all(line_, "&quot;", "\"");
    replace_all(line_, "&amp;", "&");
    replace_all(line_, "&lt;", "<");
    replace_all(line_, "&gt;", ">");
  }
  line_.insert(line_.begin(), ' ');
  line_.push_back(' ');
}

void Segmenter::load_chinese(std::string_view text) {
  text = without_last_spaces(text);
  while (const int32_t size = space_front(text)) text.remove_prefix(size);
  line_.clear();
  for (size_t at = 0; at < text.size();) {
    const Utf8Char next = front(text.substr(at));
    const std::string_view character = text.substr(at, next.size);
    if (is_chinese(next.code)) {
      line_.append(" ").append(character).append(" ");
    } else {
      line_.append(character);
    }
    at += next.size;
  }
}

std::string_view Segmenter::separate_punctuation() {
  std::string_view line = line_;
  for (const Rule rule :
       {symbols_apart, stops_not_after_digit, stops_not_before_digit, dash_after_digit}) {
    std::vector<char>& buffer = buffers_[line.data() == buffers_[0].data() ? 1 : 0];
    if (buffer.size() < 3 * line.size()) buffer.resize(3 * line.size());
    line = {buffer.data(), static_cast<size_t>(rule(line, buffer.data()) - buffer.data())};
  }
  return line;
}

}  // namespace demotic::metrics
