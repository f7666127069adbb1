// The families of sparse features of a model (see SparseFamily). A key is the number of the family
// in its template file, in the highest bits, and the value of the feature.
//
// Immutable and thread-safe.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "demotic/features/sparse_family.h"

namespace demotic::features {

class FamilyFeatures {
 public:
  // The labels of constituents that any of the families looks at.
  void add_labels(const FamilySpec& spec);
  // `base` is the number of the family in the highest bits, of which there are `number_bits`.
  // Throws ModelError if the values do not fit into the others, or a list is missing.
  void add(const FamilySpec& spec, const Vocabulary& vocabulary, bool gaps, FeatureKey base,
           uint32_t number_bits);

  // Whether there are features of a group (SparseFamily::Group).
  bool any(SparseFamily::Group group) const noexcept { return (groups_ & group) != 0; }
  bool has_constituents() const noexcept { return !labels_.empty(); }
  bool reads_annotations() const noexcept {
    return std::ranges::any_of(families_,
                               [](const Family& one) { return one.made->reads_annotations(); });
  }
  bool has_values() const noexcept {
    return std::ranges::any_of(families_, [](const Family& one) { return one.made->has_values(); });
  }
  // Of a value of the family with this index.
  bool has_value(size_t family, uint64_t value) const noexcept {
    return families_[family].made->has_value(value);
  }
  FeatureValue feature_of(size_t family, uint64_t value) const {
    const FeatureValue found = families_[family].made->feature_of(value);
    return {families_[family].base | found.key, found.value};
  }
  // Whether the rule may have mixed features in any sentence.
  bool has_mixed(const RuleStore& rules, RuleId rule) const;
  // The position of a label, or -1 if no family looks at it.
  int32_t label(std::string_view name) const noexcept;

  // Each function appends the keys that fire, ascending for each family and without repetitions.
  void add_rule_keys(const RuleStore& rules, RuleId rule, std::vector<FeatureKey>& keys) const;
  void add_span_keys(const SentenceWords& sentence, int32_t begin, int32_t end,
                     std::vector<FeatureKey>& keys) const;
  void add_mixed_keys(const RuleStore& rules, RuleId rule, const SentenceWords& sentence,
                      int32_t begin, int32_t end, std::vector<FeatureKey>& keys) const;
  void add_joint_keys(const RuleStore& rules, WordId last, RuleId rule,
                      std::vector<FeatureKey>& keys) const;
  void add_gap_keys(bool reordered, int32_t size, std::vector<FeatureKey>& keys) const;
  // Adds a part to `shared` with the keys of each rule; the rules have one source side.
  void share_rule_keys(const RuleStore& store, std::span<const RuleId> rules,
                       SharedKeys& shared) const;
  void share_mixed_keys(const RuleStore& store, std::span<const RuleId> rules,
                        const SentenceWords& sentence, int32_t begin, int32_t end,
                        SharedKeys& shared) const;

  // The name of a feature of the family with this index, in the order of `add`. Throws
  // std::invalid_argument for a value that it does not have.
  std::string name(size_t family, uint64_t value) const;
  uint64_t values(size_t family) const noexcept { return families_[family].made->values(); }

 private:
  struct Family {
    std::shared_ptr<const SparseFamily> made;
    FeatureKey base;
  };
  // Appends the keys of each family of a group; add(family, keys) appends their values.
  template <typename Add>
  void collect(SparseFamily::Group group, std::vector<FeatureKey>& keys, Add&& add) const;
  template <typename Add>
  void share(const RuleStore& store, std::span<const RuleId> rules, SharedKeys& shared,
             Add&& add) const;

  std::vector<Family> families_;
  std::vector<std::string> labels_;
  uint8_t groups_ = 0;
};

}  // namespace demotic::features
