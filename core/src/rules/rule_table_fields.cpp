#include "rule_table_fields.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "demotic/base/errors.h"
#include "demotic/base/read_number.h"
#include "demotic/base/utf8.h"
#include "demotic/rules/occurrence.h"
#include "demotic/rules/rule_table.h"

namespace demotic::rules {
namespace {

constexpr size_t kShownBytes = 60;  // of a token in a message

std::string quoted(std::string_view token) {
  if (token.size() <= kShownBytes) return '\'' + std::string(token) + '\'';
  return '\'' + std::string(utf8_prefix(token, kShownBytes)) + "...'";
}

// from_chars reports "out of range" for both underflow and overflow.
bool is_tiny(std::string_view token) noexcept {
  if (token.starts_with('-')) token.remove_prefix(1);
  return token.find("e-") != token.npos || token.find("E-") != token.npos ||
         token.starts_with("0") || token.starts_with(".");
}

bool parse_position(std::string_view text, int32_t& value) noexcept {
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  return code == std::errc() && end == text.data() + text.size() && value >= 0;
}

}  // namespace

void LinePlace::refuse(std::string found, std::string expected, std::string advice) const {
  throw FormatError({path, line, std::move(found), std::move(expected), std::move(advice)});
}

bool Fields::split(std::string_view line) noexcept {
  size_ = 0;
  size_t begin = 0, from = 0;
  while (true) {
    const size_t bar = line.find("|||", from);
    const size_t end = bar == line.npos ? line.size() : bar;
    const size_t after = end + 3;
    const bool alone = bar == line.npos || ((end == 0 || line[end - 1] == ' ') &&
                                            (after >= line.size() || line[after] == ' '));
    if (!alone) {
      from = bar + 1;
      continue;
    }
    if (size_ == kMax) return false;
    fields_[size_++] = line.substr(begin, end - begin);
    if (bar == line.npos) return true;
    begin = from = after;
  }
}

double parse_number(const LinePlace& place, std::string_view token) {
  std::string_view digits = token;
  if (digits.starts_with('+')) digits.remove_prefix(1);
  double value = 0;
  const auto [end, code] = read_number(digits.data(), digits.data() + digits.size(), value);
  if (code == std::errc::result_out_of_range) {
    value = is_tiny(digits) ? 0.0 : std::numeric_limits<double>::infinity();
  } else if (code != std::errc() || end != digits.data() + digits.size()) {
    place.refuse(quoted(token), "a number");
  }
  if (!std::isfinite(value) || std::abs(value) > std::numeric_limits<float>::max())
    place.refuse("the number " + quoted(token), "a finite number",
                 "write the table again without this rule");
  return value;
}

float moses_log(double probability) noexcept {
  return static_cast<float>(std::max(std::log(probability), kMinMosesLog));
}

float parse_probability(const LinePlace& place, std::string_view token) {
  const double value = parse_number(place, token);
  if (value < 0)
    place.refuse("the score " + quoted(token), "a probability",
                 "Moses tables hold probabilities, not their logarithms");
  return moses_log(value);
}

void parse_links(const LinePlace& place, std::string_view text, size_t source_size,
                 size_t target_size, std::vector<RuleLink>& links) {
  links.clear();
  std::string_view token;
  while (next_token(text, token)) {
    const size_t dash = token.find('-');
    int32_t source = 0, target = 0;
    if (dash == token.npos || !parse_position(token.substr(0, dash), source) ||
        !parse_position(token.substr(dash + 1), target))
      place.refuse("the link " + quoted(token), "links like 0-0 1-2");
    if (static_cast<size_t>(source) >= source_size || static_cast<size_t>(target) >= target_size)
      place.refuse("the link " + quoted(token) + " in a rule of " + std::to_string(source_size) +
                       " and " + std::to_string(target_size) + " words",
                   "positions inside the rule");
    links.push_back({static_cast<uint8_t>(source), static_cast<uint8_t>(target)});
  }
  std::sort(links.begin(), links.end());
  links.erase(std::unique(links.begin(), links.end()), links.end());
}

void check_sides(const LinePlace& place, size_t source_size, size_t target_size, size_t gaps) {
  if (source_size == 0) place.refuse("an empty source side", "at least one word");
  if (std::max(source_size, target_size) > kMaxPhraseSize)
    place.refuse("a side of " + std::to_string(std::max(source_size, target_size)) + " words",
                 "at most " + std::to_string(kMaxPhraseSize), "filter the table by length");
  if (gaps > kMaxGaps)
    place.refuse("a rule with " + std::to_string(gaps) + " nonterminals",
                 "at most " + std::to_string(kMaxGaps),
                 "binarise the grammar or filter it by arity");
}

}  // namespace demotic::rules
