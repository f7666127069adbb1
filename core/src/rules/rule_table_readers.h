// Shared parts of the readers of rule tables, and their constructors.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "demotic/rules/rule_table.h"

namespace demotic::rules {

// A nonterminal in a side.
struct GapToken {
  size_t position;
  std::string_view label;
  int32_t index = 0;  // its number in a SCFG line, from 1
};

inline void set_score(TableRule& rule, uint32_t column, float value) {
  if (rule.scores.size() <= column) rule.scores.resize(column + 1, 0);
  rule.scores[column] = value;
}

std::unique_ptr<TableReader> read_moses(RuleTable& table, std::string name, std::string prefix,
                                        int32_t scores, bool hiero);
std::unique_ptr<TableReader> read_scfg(RuleTable& table, std::string name, std::string prefix);

}  // namespace demotic::rules
