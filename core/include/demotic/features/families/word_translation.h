// Lexical translation: the pair of a source and a target word for each link of a rule. Words that
// are not listed are <unk>.
#pragma once

#include "demotic/features/families/word_list.h"

namespace demotic::features {

class WordTranslation final : public SparseFamily {
 public:
  explicit WordTranslation(const FamilyContext& context)
      : source_(context.spec.list("source"), context.vocabulary),
        target_(context.spec.list("target"), context.vocabulary) {}

  uint64_t values() const noexcept override {
    return (uint64_t{source_.size()} + 1) * (uint64_t{target_.size()} + 1);
  }
  std::string name(uint64_t value) const override {
    const uint64_t targets = uint64_t{target_.size()} + 1;
    return "word=" + source_.name(value / targets) + " ||| " + target_.name(value % targets);
  }
  uint8_t groups() const noexcept override { return kRule; }

  void add_rule_values(const RuleSides& rule, std::vector<uint64_t>& values) const override {
    for (const RuleLink link : rule.links) {
      const Symbol source = rule.source[link.source], target = rule.target[link.target];
      if (is_gap(source) || is_gap(target)) continue;
      values.push_back(uint64_t{source_.find_or_size(source)} * (uint64_t{target_.size()} + 1) +
                       target_.find_or_size(target));
    }
  }

 private:
  WordList source_, target_;
};

}  // namespace demotic::features
