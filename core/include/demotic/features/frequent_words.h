// The most frequent words of a rule store by their role, for the lists of families of features. A
// rule counts as often as it was extracted, so a word or link of the training text counts once per
// rule occurrence that contains it. One pass over all rules.
#pragma once

#include <string_view>
#include <utility>
#include <vector>

#include "demotic/rules/rule_store.h"

namespace demotic::features {

// `role`: `pairs` (linked words), `source`, `target` (words), `inserted`, `deleted` (target and
// source words without a link, in rules with linked words). At most `limit`, by falling count, then
// by id; the second word is -1 except for pairs. Throws std::invalid_argument for another role.
std::vector<std::pair<WordId, WordId>> frequent_words(const RuleStore& store, std::string_view role,
                                                      size_t limit);

}  // namespace demotic::features
