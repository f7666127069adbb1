// Sparse features made by templates. A key is the number of the template and what it saw, each in
// as many bits as its values need, so that no two features share a key and the name of a feature
// can be read off its key.
//
// In phrase search the span that a rule is used on has the rule's own words. So a template that
// looks at the edges of a rule on both sides is a feature of the rule alone; only one that looks
// beyond the span needs the sentence. In a hierarchical model the edges of the span may lie in a
// gap, and whatever looks at a source word belongs to the span, or to both.
//
// Words that the vocabulary lacks are <unk>. The edges of a target side that begins or ends in a
// gap, or that is empty, have values of their own.
//
// About two nanoseconds a feature. Immutable; safe to share between threads.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "demotic/features/feature_template.h"
#include "demotic/features/sparse_features.h"
#include "demotic/text/classes.h"
#include "demotic/text/vocabulary.h"

namespace demotic::features {

class TemplateFeatures final : public SparseFeatures {
 public:
  // Throws ModelError for a template that comes twice, needs a layer that is not there (layers are
  // found by name, see layer_of), combines the past with the span, or has keys of more than 64
  // bits; and for a layer over another vocabulary. `gaps` says that the model is hierarchical.
  TemplateFeatures(std::vector<FeatureTemplate> templates, const std::vector<ClassLayer>& layers,
                   RuleStore rules, Vocabulary vocabulary, bool gaps);
  // The features of another store's rules with the keys that they have here: `same` says which of
  // our rules each of them is, see map_rules. All that are none of ours count as one.
  std::unique_ptr<TemplateFeatures> for_rules(RuleStore rules, std::vector<RuleId> same) const;

  // A copied word (kNoRule) has only the features of its span.
  void add_rule_keys(RuleId rule, std::vector<FeatureKey>& keys) const override;
  void add_span_keys(const SentenceWords& sentence, int32_t begin, int32_t end,
                     std::vector<FeatureKey>& keys) const override;
  void add_mixed_keys(RuleId rule, const SentenceWords& sentence, int32_t begin, int32_t end,
                      std::vector<FeatureKey>& keys) const override;
  // Rules of a source side have target sides that begin or end alike, so most keys are shared.
  void share_rule_keys(std::span<const RuleId> rules, SharedKeys& shared) const override;
  void share_mixed_keys(std::span<const RuleId> rules, const SentenceWords& sentence, int32_t begin,
                        int32_t end, SharedKeys& shared) const override;
  bool joint() const noexcept override { return !groups_[kJoint].empty(); }
  Past relevant(const Past& past) const noexcept override;
  void add_joint_keys(const Past& past, RuleId rule, std::vector<FeatureKey>& keys) const override;

  const std::vector<FeatureTemplate>& templates() const noexcept { return templates_; }
  const RuleStore& rules() const noexcept { return rules_; }
  // Which template made a key. Throws std::invalid_argument for what is none of our keys.
  size_t template_of(FeatureKey key) const;
  // Such as `source.first:word=haus target.first:word=house`, or `rule=das haus ||| the house`.
  std::string name(FeatureKey key) const;
  // Of all that decides about keys: weights that were learned with another one mean nothing here.
  uint64_t layout() const noexcept { return layout_; }

 private:
  enum GroupNumber { kOfRule, kOfSpan, kMixed, kJoint, kGroups };

  // A place and a level, looked at once for all templates of a group that have it.
  struct Look {
    FeatureAtom atom;
    std::optional<ClassLayer> layer;    // none for words, numbers and rules
    std::span<const int32_t> classes;   // of the layer
    uint64_t values = 0;                // how many different ones there are
    uint32_t plain = 0, plain_end = 0;  // words whose value is their class or number
  };
  struct Field {
    uint8_t look, shift, bits;
  };
  struct Group {
    std::vector<uint32_t> looks;      // numbers of looks_
    std::vector<Field> fields;        // of all its templates; `look` counts within the group
    std::vector<uint32_t> ends;       // of each template's fields
    std::vector<FeatureKey> numbers;  // of each template, in the high bits
    uint32_t places = 0;              // a bit for each that is looked at
    bool empty() const noexcept { return numbers.empty(); }
    bool sees(FeaturePlace place) const noexcept { return places >> uint32_t(place) & 1; }
  };
  // The templates of a group by what they see of a rule besides its source side.
  enum PartNumber { kNothing, kFirst, kLast, kBoth, kItself, kParts };
  struct Part {
    Group fixed;   // with the fields that see nothing of it
    Group moving;  // the same templates with the others
  };
  using Parts = std::array<Part, kParts>;
  // What stands at each place: a word, a number, or one of the following.
  using Places = std::array<uint32_t, kFeaturePlaces>;
  static constexpr uint32_t kGapThere = UINT32_MAX, kNothingThere = UINT32_MAX - 1;

  void compile(size_t number, const std::vector<ClassLayer>& layers);
  GroupNumber group_of(const FeatureTemplate& one) const;
  static bool moves(FeaturePlace place) noexcept;
  static PartNumber part_of(const FeatureTemplate& one) noexcept;
  static void add_field(Group& group, uint32_t look, FeaturePlace place, Field field);
  static void end_template(Group& group, FeatureKey number);
  uint32_t look_at(FeatureAtom atom, const std::vector<ClassLayer>& layers);
  uint64_t value_count(const Look& look) const noexcept;
  uint64_t value(const Look& look, uint32_t there) const noexcept {
    if (there - look.plain >= look.plain_end - look.plain) return rare_value(look, there);
    return look.classes.empty() ? there : static_cast<uint64_t>(look.classes[there]);
  }
  uint64_t rare_value(const Look& look, uint32_t there) const noexcept;
  std::string value_name(const Look& look, uint64_t value) const;
  std::string rule_name(RuleId rule) const;
  void see_target(const Group& group, RuleId rule, Places& places) const noexcept;
  void see_source(const Group& group, RuleId rule, Places& places) const;
  void see_span(const SentenceWords& sentence, int32_t begin, int32_t end,
                Places& places) const noexcept;
  void add(const Group& group, const Places& places, std::vector<FeatureKey>& keys) const {
    add(group, places, group.numbers, keys);
  }
  // Keys that have something in them already, in place of the templates' numbers.
  void add(const Group& group, const Places& places, std::span<const FeatureKey> bases,
           std::vector<FeatureKey>& keys) const;
  TargetEdges target_edges(RuleId rule) const noexcept;
  void read_edges(std::span<const RuleId> rules, std::vector<TargetEdges>& edges) const;
  static uint64_t seen_by(PartNumber part, TargetEdges edges) noexcept;
  void share(const Parts& parts, std::span<const RuleId> rules, Places& places,
             SharedKeys& shared) const;
  uint64_t hash_of_layout() const;

  std::vector<FeatureTemplate> templates_;
  RuleStore rules_;
  std::vector<RuleId> same_;  // the rule of the store that keys are about; empty: it is rules_
  RuleId rule_count_;         // of that store
  Vocabulary vocabulary_;
  bool gaps_;
  uint32_t number_bits_;
  std::vector<Look> looks_;
  std::array<Group, kGroups> groups_;
  Parts rule_parts_, mixed_parts_;
  std::vector<std::pair<GroupNumber, uint32_t>> where_;  // of each template: group, place in it
  std::vector<uint8_t> lengths_;                         // by rule; empty if nobody looks
  uint64_t layout_ = 0;
};

}  // namespace demotic::features
