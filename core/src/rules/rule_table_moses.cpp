// Moses phrase tables and hierarchical rule tables.
#include <algorithm>

#include "demotic/rules/rule_table.h"
#include "rule_table_fields.h"
#include "rule_table_readers.h"

namespace demotic::rules {
namespace {

// Moses' scores are in the same order as those of our extraction.
constexpr const char* kScoreNames[] = {"source_given_target", "lexical_source_given_target",
                                       "target_given_source", "lexical_target_given_source"};

class MosesReader : public TableReader {
 public:
  MosesReader(RuleTable& table, std::string name, std::string prefix, int32_t scores, bool hiero)
      : TableReader(table, std::move(name)),
        prefix_(std::move(prefix)),
        scores_(static_cast<size_t>(scores)),
        hiero_(hiero) {}

 private:
  void read_line(std::string_view line, int64_t number) override {
    const LinePlace place{name_, number};
    if (!fields_.split(line) || fields_.size() < 3)
      place.refuse("a line of " + std::to_string(fields_.size()) + " fields",
                   "source ||| target ||| scores, then up to four more fields");
    rule_.clear();
    if (hiero_) {
      read_hiero_sides(place);
    } else {
      read_words(fields_[0], rule_.source);
      read_words(fields_[1], rule_.target);
    }
    check_sides(place, rule_.source.size(), rule_.target.size(), source_gaps_.size());
    parse_links(place, fields_[3], rule_.source.size(), rule_.target.size(), rule_.links);
    if (hiero_) pair_gaps(place);
    read_scores(place);
    read_counts(place);
    read_sparse(place);
    if (fields_[6].find("{{") != std::string_view::npos) table_.count_property();
    table_.add(rule_, number);
  }

  void read_words(std::string_view text, std::vector<Symbol>& symbols) {
    std::string_view token;
    while (next_token(text, token)) symbols.push_back(table_.word(token));
  }

  void read_hiero_sides(const LinePlace& place) {
    const std::string_view source = read_side(place, fields_[0], rule_.source, source_gaps_);
    const std::string_view target = read_side(place, fields_[1], rule_.target, target_gaps_);
    if (source_gaps_.size() != target_gaps_.size())
      place.refuse(std::to_string(source_gaps_.size()) + " nonterminals on the source side, " +
                       std::to_string(target_gaps_.size()) + " on the target side",
                   "equal numbers on both sides");
    rule_.lhs = table_.label(source == target ? std::string(source)
                                              : std::string(source) + "][" + std::string(target));
  }

  // The symbols of a side, 0 for a gap until the gaps are paired. Returns the left-hand side, which
  // is at the end.
  std::string_view read_side(const LinePlace& place, std::string_view text,
                             std::vector<Symbol>& symbols, std::vector<GapToken>& gaps) {
    gaps.clear();
    std::string_view token, last;
    while (next_token(text, token)) {
      if (!last.empty()) push_symbol(last, symbols, gaps);
      last = token;
    }
    if (!in_brackets(last) || last.find("][") != last.npos)
      place.refuse(last.empty() ? "an empty side" : "'" + std::string(last) + "' as last token",
                   "the left-hand side, like [X], at the end of each side");
    return last.substr(1, last.size() - 2);
  }

  void push_symbol(std::string_view token, std::vector<Symbol>& symbols,
                   std::vector<GapToken>& gaps) {
    if (!in_brackets(token)) return symbols.push_back(table_.word(token));
    gaps.push_back({symbols.size(), token.substr(1, token.size() - 2)});
    symbols.push_back(kUnknown);
  }

  // In Moses, links pair the nonterminals.
  void pair_gaps(const LinePlace& place) {
    std::vector<RuleLink>& links = rule_.links;
    for (size_t k = 0; k < source_gaps_.size(); ++k) {
      const GapToken& gap = source_gaps_[k];
      const auto at_gap = [&](const RuleLink& link) { return link.source == gap.position; };
      const auto link = std::find_if(links.begin(), links.end(), at_gap);
      const auto partner = link == links.end() ? target_gaps_.end() : gap_at(link->target);
      const bool good = partner != target_gaps_.end() && partner->label == gap.label &&
                        std::count_if(links.begin(), links.end(), at_gap) == 1;
      if (!good || rule_.target[partner->position] != kUnknown)
        place.refuse("a nonterminal at position " + std::to_string(gap.position) +
                         " that is not linked to one of the same name",
                     "one link per pair of nonterminals");
      rule_.target[partner->position] = gap_symbol(static_cast<int32_t>(k));
      rule_.source[gap.position] = gap_symbol(table_.label(plain_label(gap.label)));
    }
    for (const RuleLink& link : links)
      if (is_gap(rule_.source[link.source]) != is_gap(rule_.target[link.target]))
        place.refuse("a link from a word to a nonterminal", "links between words, or between both");
  }

  std::vector<GapToken>::const_iterator gap_at(size_t position) const {
    return std::find_if(target_gaps_.begin(), target_gaps_.end(),
                        [&](const GapToken& gap) { return gap.position == position; });
  }

  // [X][X] is called X; [X][NP] keeps both names.
  static std::string_view plain_label(std::string_view label) {
    const size_t cut = label.find("][");
    if (cut == label.npos || label.substr(0, cut) != label.substr(cut + 2)) return label;
    return label.substr(0, cut);
  }

  void read_scores(const LinePlace& place) {
    values_.clear();
    std::string_view text = fields_[2], token;
    while (next_token(text, token)) values_.push_back(parse_probability(place, token));
    if (values_.empty()) place.refuse("no scores", "at least one");
    if (scores_ == 0) scores_ = values_.size();
    if (values_.size() != scores_)
      place.refuse(std::to_string(values_.size()) + " scores", std::to_string(scores_));
    if (columns_.empty()) name_columns();
    for (size_t i = 0; i < scores_; ++i) set_score(rule_, columns_[i], values_[i]);
  }

  void name_columns() {
    for (size_t i = 0; i < scores_; ++i)
      columns_.push_back(
          table_.column(i < 4 && scores_ >= 4 ? kScoreNames[i] : prefix_ + std::to_string(i + 1)));
  }

  void read_counts(const LinePlace& place) {
    std::string_view text = fields_[4], token;
    for (float& count : rule_.counts) {
      if (!next_token(text, token)) break;
      count = static_cast<float>(parse_number(place, token));
      if (count < 0) place.refuse("the count " + std::string(token), "a non-negative number");
    }
  }

  // name value name value ...
  void read_sparse(const LinePlace& place) {
    std::string_view text = fields_[5], name, value;
    while (next_token(text, name)) {
      if (!next_token(text, value))
        place.refuse("the sparse feature " + std::string(name) + " without a value",
                     "pairs of a name and a value");
      set_score(rule_, table_.column(name), static_cast<float>(parse_number(place, value)));
    }
  }

  std::string prefix_;
  size_t scores_;
  bool hiero_;
  Fields fields_;
  TableRule rule_;
  std::vector<GapToken> source_gaps_, target_gaps_;
  std::vector<float> values_;
  std::vector<uint32_t> columns_;
};

}  // namespace

std::unique_ptr<TableReader> read_moses(RuleTable& table, std::string name, std::string prefix,
                                        int32_t scores, bool hiero) {
  return std::make_unique<MosesReader>(table, std::move(name), std::move(prefix), scores, hiero);
}

}  // namespace demotic::rules
