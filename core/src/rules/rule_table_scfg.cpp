// Synchronous grammars in the common format of Hiero, cdec and Joshua.
#include <algorithm>
#include <charconv>

#include "demotic/rules/rule_table.h"
#include "rule_table_fields.h"
#include "rule_table_readers.h"

namespace demotic::rules {
namespace {

class ScfgReader : public TableReader {
 public:
  ScfgReader(RuleTable& table, std::string name, std::string prefix)
      : TableReader(table, std::move(name)), prefix_(std::move(prefix)) {}

 private:
  void read_line(std::string_view line, int64_t number) override {
    if (line.starts_with('#') || line.find_first_not_of(' ') == line.npos) return;
    const LinePlace place{name_, number};
    if (!fields_.split(line) || fields_.size() < 3 || fields_.size() > 5)
      place.refuse("a line of " + std::to_string(fields_.size()) + " fields",
                   "[X] ||| source ||| target ||| features ||| links, the last two optional");
    rule_.clear();
    read_lhs(place);
    read_source(place);
    read_target(place);
    check_sides(place, rule_.source.size(), rule_.target.size(), gaps_.size());
    read_links(place);
    read_features(place);
    table_.add(rule_, number);
  }

  void read_lhs(const LinePlace& place) {
    std::string_view text = fields_[0], token, rest;
    if (!next_token(text, token) || !in_brackets(token) || next_token(text, rest))
      place.refuse("'" + std::string(fields_[0]) + "' as left-hand side", "a nonterminal like [X]");
    rule_.lhs = table_.label(token.substr(1, token.size() - 2));
  }

  void read_source(const LinePlace& place) {
    gaps_.clear();
    std::string_view text = fields_[1], token;
    while (next_token(text, token)) {
      if (!in_brackets(token)) {
        rule_.source.push_back(table_.word(token));
        continue;
      }
      GapToken gap = parse_gap(place, token);
      if (gap.label.empty())
        place.refuse("'" + std::string(token) + "' on the source side", "nonterminals like [X,1]");
      if (find_gap(gap.index) != nullptr)
        place.refuse("two nonterminals with the number " + std::to_string(gap.index),
                     "distinct numbers");
      gap.position = rule_.source.size();
      gaps_.push_back(gap);
      rule_.source.push_back(gap_symbol(table_.label(gap.label)));
    }
  }

  void read_target(const LinePlace& place) {
    target_positions_.assign(gaps_.size(), kNoPosition);
    std::string_view text = fields_[2], token;
    while (next_token(text, token)) {
      if (!in_brackets(token)) {
        rule_.target.push_back(table_.word(token));
        continue;
      }
      const GapToken gap = parse_gap(place, token);
      const GapToken* partner = find_gap(gap.index);
      if (partner == nullptr || (!gap.label.empty() && gap.label != partner->label) ||
          target_positions_[partner - gaps_.data()] != kNoPosition)
        place.refuse("'" + std::string(token) + "' on the target side",
                     "each nonterminal of the source side once, with its name and number");
      target_positions_[partner - gaps_.data()] = rule_.target.size();
      rule_.target.push_back(gap_symbol(static_cast<int32_t>(partner - gaps_.data())));
    }
    if (std::ranges::find(target_positions_, kNoPosition) != target_positions_.end())
      place.refuse("a nonterminal that is missing on the target side",
                   "the same nonterminals on both sides");
  }

  // [NP,1], or [1] with an empty label.
  GapToken parse_gap(const LinePlace& place, std::string_view token) const {
    const std::string_view inner = token.substr(1, token.size() - 2);
    const size_t comma = inner.rfind(',');
    const std::string_view digits = comma == inner.npos ? inner : inner.substr(comma + 1);
    GapToken gap{0, comma == inner.npos ? std::string_view() : inner.substr(0, comma)};
    const auto [end, code] =
        std::from_chars(digits.data(), digits.data() + digits.size(), gap.index);
    if (code != std::errc() || end != digits.data() + digits.size() || gap.index < 1 || comma == 0)
      place.refuse("'" + std::string(token) + "'", "a nonterminal like [X,1]",
                   "write the first bracket of a word in brackets as &#x5B;");
    return gap;
  }

  const GapToken* find_gap(int32_t index) const {
    const auto found = std::ranges::find(gaps_, index, &GapToken::index);
    return found == gaps_.end() ? nullptr : &*found;
  }

  // Links between words; those of nonterminals are known and added, so that all links are uniform.
  void read_links(const LinePlace& place) {
    parse_links(place, fields_[4], rule_.source.size(), rule_.target.size(), rule_.links);
    std::erase_if(rule_.links, [&](const RuleLink& link) {
      const bool source = is_gap(rule_.source[link.source]);
      if (source != is_gap(rule_.target[link.target]))
        place.refuse("a link from a word to a nonterminal", "links between words");
      return source;
    });
    for (size_t k = 0; k < gaps_.size(); ++k)
      rule_.links.push_back(
          {static_cast<uint8_t>(gaps_[k].position), static_cast<uint8_t>(target_positions_[k])});
    std::sort(rule_.links.begin(), rule_.links.end());
  }

  void read_features(const LinePlace& place) {
    std::string_view text = fields_[3], token;
    size_t unnamed = 0, nth = 0;
    seen_.clear();
    while (next_token(text, token)) {
      const size_t sign = token.rfind('=');
      const bool named = sign != token.npos && sign > 0;
      const uint32_t column =
          named ? named_column(nth, token.substr(0, sign)) : unnamed_column(unnamed++);
      if (std::ranges::find(seen_, column) != seen_.end())
        place.refuse("the feature " + table_.columns()[column] + " twice", "distinct features");
      seen_.push_back(column);
      const std::string_view value = named ? token.substr(sign + 1) : token;
      set_score(rule_, column, static_cast<float>(parse_number(place, value)));
      ++nth;
    }
  }

  // Most lines have the same features in the same order.
  uint32_t named_column(size_t nth, std::string_view name) {
    if (nth < last_columns_.size() && table_.column_is(last_columns_[nth], name))
      return last_columns_[nth];
    const uint32_t column = table_.column(name);
    if (last_columns_.size() <= nth) last_columns_.resize(nth + 1, UINT32_MAX);
    return last_columns_[nth] = column;
  }

  uint32_t unnamed_column(size_t nth) {
    while (unnamed_columns_.size() <= nth)
      unnamed_columns_.push_back(table_.column(prefix_ + std::to_string(unnamed_columns_.size())));
    return unnamed_columns_[nth];
  }

  static constexpr size_t kNoPosition = SIZE_MAX;

  std::string prefix_;
  Fields fields_;
  TableRule rule_;
  std::vector<GapToken> gaps_;            // in source order
  std::vector<size_t> target_positions_;  // by gap
  std::vector<uint32_t> seen_, last_columns_, unnamed_columns_;
};

}  // namespace

std::unique_ptr<TableReader> read_scfg(RuleTable& table, std::string name, std::string prefix) {
  return std::make_unique<ScfgReader>(table, std::move(name), std::move(prefix));
}

}  // namespace demotic::rules
