// Default implementations for features that share no keys between rules.
#include "demotic/features/sparse_features.h"

namespace demotic::features {

void SparseFeatures::share_rule_keys(std::span<const RuleId> rules, SharedKeys& shared) const {
  shared.clear();
  shared.parts = 1;
  for (const RuleId rule : rules) {
    add_rule_keys(rule, shared.keys);
    shared.groups.push_back(shared.end_group());
  }
}

void SparseFeatures::share_mixed_keys(std::span<const RuleId> rules, const SentenceWords& sentence,
                                      int32_t begin, int32_t end, SharedKeys& shared) const {
  shared.clear();
  shared.parts = 1;
  for (const RuleId rule : rules) {
    add_mixed_keys(rule, sentence, begin, end, shared.keys);
    shared.groups.push_back(shared.end_group());
  }
}

}  // namespace demotic::features
