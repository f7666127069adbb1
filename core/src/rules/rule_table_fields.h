// Parts of a line of a rule table: fields, tokens, numbers and links.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "demotic/rules/rule_store.h"
#include "demotic/text/spelling.h"

namespace demotic::rules {

// The position of a line, for messages.
struct LinePlace {
  const std::string& path;
  int64_t line;

  [[noreturn]] void refuse(std::string found, std::string expected, std::string advice = {}) const;
};

// A line split at its `|||` tokens. Fields keep the spaces around them.
class Fields {
 public:
  static constexpr size_t kMax = 8;

  // False if there are more than kMax.
  bool split(std::string_view line) noexcept;
  size_t size() const noexcept { return size_; }
  // Empty if the line has no such field.
  std::string_view operator[](size_t i) const noexcept {
    return i < size_ ? fields_[i] : std::string_view();
  }

 private:
  std::array<std::string_view, kMax> fields_;
  size_t size_ = 0;
};

// Removes the next token from `text`; false at its end.
inline bool next_token(std::string_view& text, std::string_view& token) noexcept {
  const size_t begin = text.find_first_not_of(' ');
  if (begin == std::string_view::npos) return false;
  const size_t end = std::min(text.find(' ', begin), text.size());
  token = text.substr(begin, end - begin);
  text.remove_prefix(end);
  return true;
}

// A finite number that fits into a float. Numbers that are too small become 0.
double parse_number(const LinePlace& place, std::string_view token);

// A probability (or Moses' 2.718) as a natural logarithm, at least kMinMosesLog.
float parse_probability(const LinePlace& place, std::string_view token);
float moses_log(double probability) noexcept;

// Links `0-1 2-0` between positions below the two sizes, sorted and without duplicates.
void parse_links(const LinePlace& place, std::string_view text, size_t source_size,
                 size_t target_size, std::vector<RuleLink>& links);

// Refuses sides that a rule store cannot hold.
void check_sides(const LinePlace& place, size_t source_size, size_t target_size, size_t gaps);

}  // namespace demotic::rules
