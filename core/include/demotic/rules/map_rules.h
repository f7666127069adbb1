// Maps the rules of one store to identical rules of another: equal sides, equal left-hand sides.
// For stores with the same vocabulary and labels, such as those of parts of a bitext.
#pragma once

#include <vector>

#include "demotic/rules/rule_store.h"

namespace demotic::rules {

// By rule of `from`; kNoRule if `to` has no such rule. One walk through both tries, sorting the
// rules of a source side by their target sides.
std::vector<RuleId> map_rules(const RuleStore& from, const RuleStore& to);

}  // namespace demotic::rules
