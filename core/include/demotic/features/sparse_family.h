// A family of sparse features computed by a function instead of a template. Each feature has a
// number within its family, its value. To add a family, write features/families/<name>.h with a
// class that overrides the functions for what it looks at, and add it to the list in
// src/features/family_features.cpp.
//
// Immutable and thread-safe.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "demotic/features/family_spec.h"
#include "demotic/features/sparse_features.h"
#include "demotic/text/vocabulary.h"

namespace demotic::features {

// The content of a rule. Gaps are symbols; links between gaps are among the links.
struct RuleSides {
  std::span<const Symbol> source, target;
  std::span<const RuleLink> links;
};

// What a family is made from.
struct FamilyContext {
  const FamilySpec& spec;
  const Vocabulary& vocabulary;
  bool gaps;  // the model is hierarchical
  // The labels of all families with trees; a constituent has its label's position here.
  const std::vector<std::string>& labels;
};

class SparseFamily {
 public:
  virtual ~SparseFamily() = default;

  virtual uint64_t values() const noexcept = 0;  // their number
  virtual std::string name(uint64_t value) const = 0;

  // What features depend on; the function with that argument is called for nothing else.
  enum Group : uint8_t { kRule = 1, kSpan = 2, kMixed = 4, kJoint = 8, kGaps = 16 };
  virtual uint8_t groups() const noexcept = 0;

  // Each function appends the values that fire, in any order, possibly repeated.
  virtual void add_rule_values(const RuleSides&, std::vector<uint64_t>&) const {}
  virtual void add_span_values(const SentenceWords&, int32_t /*begin*/, int32_t /*end*/,
                               std::vector<uint64_t>&) const {}
  // See SparseFeatures::has_value and feature_of; the other values are features with the value 1.
  virtual bool has_values() const noexcept { return false; }
  virtual bool has_value(uint64_t /*value*/) const noexcept { return false; }
  virtual FeatureValue feature_of(uint64_t value) const { return {value, 1}; }

  // Whether features look at tags and constituents as text.
  virtual bool reads_annotations() const noexcept { return false; }
  // Whether the rule may have mixed features in any sentence.
  virtual bool has_mixed(const RuleSides&) const { return true; }
  virtual void add_mixed_values(const RuleSides&, const SentenceWords&, int32_t /*begin*/,
                                int32_t /*end*/, std::vector<uint64_t>&) const {}
  // `last` is the last word of the translation before the rule (phrase models only).
  virtual void add_joint_values(WordId /*last*/, const RuleSides&, std::vector<uint64_t>&) const {}
  // Of a gap of the rule that covers `size` source words (hierarchical models only).
  virtual void add_gap_values(bool /*reordered*/, int32_t /*size*/, std::vector<uint64_t>&) const {}
};

}  // namespace demotic::features
