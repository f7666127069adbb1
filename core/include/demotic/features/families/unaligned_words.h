// Insertion and deletion (Eidelman, Marton & Resnik 2013, section 4.2): listed words without a link
// on the target side (inserted) or on the source side (deleted) of a rule. Rules whose words have
// no links at all, which come from tables without them, fire nothing.
#pragma once

#include <algorithm>

#include "demotic/features/families/word_list.h"

namespace demotic::features {

class UnalignedWords final : public SparseFamily {
 public:
  // The target side, or the source side.
  UnalignedWords(const FamilyContext& context, bool inserted)
      : inserted_(inserted),
        words_(context.spec.list(inserted ? "inserted" : "deleted"), context.vocabulary) {}

  uint64_t values() const noexcept override { return words_.size(); }
  std::string name(uint64_t value) const override {
    return (inserted_ ? "inserted=" : "deleted=") + words_.name(value);
  }
  uint8_t groups() const noexcept override { return kRule; }

  void add_rule_values(const RuleSides& rule, std::vector<uint64_t>& values) const override {
    const std::span<const Symbol> side = inserted_ ? rule.target : rule.source;
    const auto linked = [&](size_t at) {
      return std::ranges::any_of(rule.links, [&](const RuleLink link) {
        return (inserted_ ? link.target : link.source) == at;
      });
    };
    const bool known = std::ranges::any_of(
        rule.links, [&](const RuleLink link) { return !is_gap(rule.source[link.source]); });
    if (!known) return;
    for (size_t at = 0; at < side.size(); ++at) {
      const uint32_t word = words_.find(side[at]);
      if (word != WordList::kNone && !linked(at)) values.push_back(word);
    }
  }

 private:
  bool inserted_;
  WordList words_;
};

}  // namespace demotic::features
