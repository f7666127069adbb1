// Bigrams of listed target words: within rules, and in phrase models also across the border of two
// phrases, which restricts recombination.
#pragma once

#include "demotic/features/families/word_list.h"

namespace demotic::features {

class TargetBigrams final : public SparseFamily {
 public:
  explicit TargetBigrams(const FamilyContext& context)
      : words_(context.spec.list("target"), context.vocabulary), gaps_(context.gaps) {}

  uint64_t values() const noexcept override { return uint64_t{words_.size()} * words_.size(); }
  std::string name(uint64_t value) const override {
    return "target.bigram=" + words_.name(value / words_.size()) + " " +
           words_.name(value % words_.size());
  }
  uint8_t groups() const noexcept override {
    return static_cast<uint8_t>(gaps_ ? int{kRule} : kRule | kJoint);
  }

  void add_rule_values(const RuleSides& rule, std::vector<uint64_t>& values) const override {
    for (size_t i = 1; i < rule.target.size(); ++i) add(rule.target[i - 1], rule.target[i], values);
  }
  void add_joint_values(WordId last, const RuleSides& rule,
                        std::vector<uint64_t>& values) const override {
    if (!rule.target.empty()) add(last, rule.target[0], values);
  }

 private:
  void add(Symbol first, Symbol second, std::vector<uint64_t>& values) const {
    const uint32_t a = words_.find(first), b = words_.find(second);
    if (a != WordList::kNone && b != WordList::kNone)
      values.push_back(uint64_t{a} * words_.size() + b);
  }

  WordList words_;
  bool gaps_;
};

}  // namespace demotic::features
