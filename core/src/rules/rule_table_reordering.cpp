// Lexicalised reordering tables (Koehn et al. 2005), joined to the rules of a phrase table.
#include "demotic/rules/rule_table.h"
#include "rule_table_fields.h"

namespace demotic::rules {
namespace {

class ReorderingReader : public TableReader {
 public:
  ReorderingReader(RuleTable& table, std::string name, size_t scores)
      : TableReader(table, std::move(name)), scores_(scores) {}

 private:
  void read_line(std::string_view line, int64_t number) override {
    const LinePlace place{name_, number};
    if (!fields_.split(line) || fields_.size() != 3)
      place.refuse("a line of " + std::to_string(fields_.size()) + " fields",
                   "source ||| target ||| probabilities");
    read_words(fields_[0], source_);
    read_words(fields_[1], target_);
    values_.clear();
    std::string_view text = fields_[2], token;
    while (next_token(text, token)) values_.push_back(parse_probability(place, token));
    if (values_.size() != scores_)
      place.refuse(std::to_string(values_.size()) + " probabilities", std::to_string(scores_),
                   "the type of the model determines the number: 3 for one direction, 6 for two");
    if (!table_.fill_columns(source_, target_, values_))
      place.refuse("a phrase pair that is also on an earlier line", "distinct pairs");
  }

  void read_words(std::string_view text, std::vector<Symbol>& symbols) {
    symbols.clear();
    std::string_view token;
    while (next_token(text, token)) symbols.push_back(table_.word(token));
  }

  size_t scores_;
  Fields fields_;
  std::vector<Symbol> source_, target_;
  std::vector<float> values_;
};

}  // namespace

std::unique_ptr<TableReader> read_reordering(RuleTable& table, std::string name,
                                             const std::vector<std::string>& columns,
                                             const std::vector<float>& missing) {
  table.add_columns(columns, missing);
  return std::make_unique<ReorderingReader>(table, std::move(name), columns.size());
}

}  // namespace demotic::rules
