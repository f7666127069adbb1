// Sparse features defined by templates. A key consists of the number of the template and the values
// it saw, each in as many bits as needed. So keys are unique, and the name of a feature can be
// decoded from its key.
//
// In phrase search, the span that a rule is applied to consists of the rule's own source words. A
// template on the edges of either side of a rule is therefore a feature of the rule alone; only one
// that looks beyond the span needs the sentence. In a hierarchical model the edges of the span may
// lie inside a gap, so whatever looks at a source word depends on the span, or on span and rule.
//
// Source tags are those of words (layer `source.tag`), or of the tokens of a sentence if the layer
// is called `source.token_tag`; that layer has the most frequent tag of each word, for sentences
// without tags. Tags of tokens depend on the sentence, so whatever looks at them does so once per
// span or per translation option.
//
// Words missing from the vocabulary are <unk>. There are special values for the edges of target
// sides that begin or end with a gap, or that are empty.
//
// Costs about two nanoseconds per feature. Immutable and thread-safe.
//
// Families (SparseFamily) are numbered together with the templates, and their keys follow those of
// the templates.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "demotic/features/family_features.h"
#include "demotic/features/feature_template.h"
#include "demotic/features/sparse_features.h"
#include "demotic/text/classes.h"
#include "demotic/text/vocabulary.h"

namespace demotic::features {

class TemplateFeatures final : public SparseFeatures {
 public:
  // Throws ModelError for a duplicate template, or one that needs a missing layer (layers are found
  // by name, see layer_of), combines the past with the span or with tags of tokens, or needs keys
  // of more than 64 bits; and for a layer over another vocabulary. `gaps`: the model is
  // hierarchical.
  TemplateFeatures(std::vector<FeatureTemplate> templates, const std::vector<ClassLayer>& layers,
                   RuleStore rules, Vocabulary vocabulary, bool gaps);
  // The same features for the rules of another store. `same` maps each of its rules to the equal
  // rule of this store (see map_rules), so that equal rules have equal keys. For a rule without an
  // equal, templates that name the rule do not fire: this store could never use their weights.
  std::unique_ptr<TemplateFeatures> for_rules(RuleStore rules, std::vector<RuleId> same) const;

  // A copied word (kNoRule) has only features of its span.
  void add_rule_keys(RuleId rule, std::vector<FeatureKey>& keys) const override;
  void add_span_keys(const SentenceWords& sentence, int32_t begin, int32_t end,
                     std::vector<FeatureKey>& keys) const override;
  void add_mixed_keys(RuleId rule, const SentenceWords& sentence, int32_t begin, int32_t end,
                      std::vector<FeatureKey>& keys) const override;
  bool has_mixed(RuleId rule) const override {
    return !groups_[kMixed].empty() || families_.has_mixed(rules_, rule);
  }
  // Many target sides begin or end with the same symbol, so most keys are shared.
  void share_rule_keys(std::span<const RuleId> rules, SharedKeys& shared) const override;
  void share_mixed_keys(std::span<const RuleId> rules, const SentenceWords& sentence, int32_t begin,
                        int32_t end, SharedKeys& shared) const override;
  bool has_token_tags() const noexcept override { return !tag_numbers_.empty(); }
  // The class of the tag in the layer; "none" for a tag that it does not have.
  int32_t token_tag(std::string_view name) const override;
  bool has_constituents() const noexcept override { return families_.has_constituents(); }
  int32_t constituent_label(std::string_view name) const override { return families_.label(name); }
  bool reads_annotations() const noexcept override { return families_.reads_annotations(); }
  bool has_values() const noexcept override { return families_.has_values(); }
  bool has_value(FeatureKey key) const noexcept override {
    const auto [group, place] = where_[key >> (64 - number_bits_)];
    return group == kOfFamily && families_.has_value(place, own_bits(key));
  }
  FeatureValue feature_of(FeatureKey key) const override {
    if (!has_value(key)) return {key, 1};
    return families_.feature_of(where_[key >> (64 - number_bits_)].second, own_bits(key));
  }
  bool has_gaps() const noexcept override { return families_.any(SparseFamily::kGaps); }
  void add_gap_keys(bool reordered, int32_t size, std::vector<FeatureKey>& keys) const override {
    families_.add_gap_keys(reordered, size, keys);
  }
  bool joint() const noexcept override {
    return !groups_[kJoint].empty() || families_.any(SparseFamily::kJoint);
  }
  Past relevant(const Past& past) const noexcept override;
  void add_joint_keys(const Past& past, RuleId rule, std::vector<FeatureKey>& keys) const override;

  const std::vector<FeatureTemplate>& templates() const noexcept { return templates_; }
  const RuleStore& rules() const noexcept { return rules_; }
  // The index of the template of a key. Throws std::invalid_argument for a key of no template.
  size_t template_of(FeatureKey key) const;
  // Such as `source.first:word=haus target.first:word=house`, or `rule=das haus ||| the house`.
  std::string name(FeatureKey key) const;
  // A hash of everything that determines keys. Weights are only valid with the layout that they
  // were trained with.
  uint64_t layout() const noexcept { return layout_; }

 private:
  enum GroupNumber { kOfRule, kOfSpan, kMixed, kJoint, kGroups, kOfFamily = kGroups };

  // A place and a level, read once for all templates of a group that contain it.
  struct AtomReader {
    FeatureAtom atom;
    std::optional<ClassLayer> layer;   // none for words, numbers and rules
    std::span<const int32_t> classes;  // class of each word in the layer
    uint64_t values = 0;               // number of distinct values
    uint32_t slot = 0;                 // of PlaceValues
    // The range of words whose value is their class or their id.
    uint32_t plain_begin = 0, plain_end = 0;
  };
  struct Field {
    uint8_t reader, shift, bits;
  };
  struct Group {
    std::vector<uint32_t> readers;  // indices into readers_
    std::vector<Field> fields;      // fields of all templates; `reader` is an index into `readers`
    std::vector<uint32_t> ends;     // end of each template's fields
    std::vector<FeatureKey> numbers;  // number of each template, in the high bits
    uint32_t places = 0;              // bit set of the places that are read
    bool empty() const noexcept { return numbers.empty(); }
    bool reads(FeaturePlace place) const noexcept { return places >> uint32_t(place) & 1; }
  };
  // The templates of a group by what they see of a rule besides its source side.
  enum PartNumber { kNothing, kFirst, kLast, kBoth, kItself, kParts };
  struct Part {
    Group fixed;    // the fields that do not depend on the target side
    Group varying;  // the same templates with the fields that do
  };
  using Parts = std::array<Part, kParts>;
  // The value at each place: a word, a number, or one of the constants below; then, for tags of
  // tokens, the tag at each of the source places that are words.
  static constexpr size_t kTagPlaces = 4;
  using PlaceValues = std::array<uint32_t, kFeaturePlaces + kTagPlaces>;
  static constexpr uint32_t kGapValue = UINT32_MAX, kEmptyValue = UINT32_MAX - 1;

  void find_token_tags(const std::vector<ClassLayer>& layers);
  void compile(size_t number, const std::vector<ClassLayer>& layers);
  void compile_family(size_t number);
  GroupNumber group_of(const FeatureTemplate& one) const;
  bool is_token_tag(FeatureAtom atom) const noexcept;
  static bool depends_on_target(FeaturePlace place) noexcept;
  static PartNumber part_of(const FeatureTemplate& one) noexcept;
  static void add_field(Group& group, uint32_t reader, FeaturePlace place, Field field);
  static void end_template(Group& group, FeatureKey number);
  uint32_t reader_for(FeatureAtom atom, const std::vector<ClassLayer>& layers);
  std::optional<ClassLayer> layer_for(FeatureAtom atom,
                                      const std::vector<ClassLayer>& layers) const;
  uint64_t value_count(const AtomReader& reader) const noexcept;
  uint64_t value(const AtomReader& reader, uint32_t raw) const noexcept {
    if (raw - reader.plain_begin >= reader.plain_end - reader.plain_begin)
      return special_value(reader, raw);
    return reader.classes.empty() ? raw : static_cast<uint64_t>(reader.classes[raw]);
  }
  uint64_t special_value(const AtomReader& reader, uint32_t raw) const noexcept;
  std::string value_name(const AtomReader& reader, uint64_t value) const;
  std::string rule_name(RuleId rule) const;
  void read_target(const Group& group, RuleId rule, PlaceValues& places) const noexcept;
  void read_source(const Group& group, RuleId rule, PlaceValues& places) const;
  void read_span(const SentenceWords& sentence, int32_t begin, int32_t end,
                 PlaceValues& places) const noexcept;
  void read_tags(const SentenceWords& sentence, int32_t begin, int32_t end,
                 PlaceValues& places) const noexcept;
  void add(const Group& group, const PlaceValues& places, std::vector<FeatureKey>& keys) const {
    add(group, places, group.numbers, keys);
  }
  // `bases` are partial keys, used instead of the templates' numbers.
  void add(const Group& group, const PlaceValues& places, std::span<const FeatureKey> bases,
           std::vector<FeatureKey>& keys) const;
  // Whether keys cannot name the rule.
  bool lacks(RuleId rule) const noexcept { return !mapped_.empty() && mapped_[rule] == kNoRule; }
  void add_joint_template_keys(const Past& past, RuleId rule, std::vector<FeatureKey>& keys) const;
  void drop_templates(const Group& group, uint32_t places, std::vector<FeatureKey>& keys) const;
  TargetEdges target_edges(RuleId rule) const noexcept;
  void read_edges(std::span<const RuleId> rules, std::vector<TargetEdges>& edges) const;
  static uint64_t target_key(PartNumber part, TargetEdges edges) noexcept;
  void share(const Parts& parts, std::span<const RuleId> rules, PlaceValues& places,
             SharedKeys& shared) const;
  uint64_t hash_of_layout() const;
  // A key without the number of its template.
  uint64_t own_bits(FeatureKey key) const noexcept { return key << number_bits_ >> number_bits_; }

  std::vector<FeatureTemplate> templates_;
  RuleStore rules_;
  // Per rule of rules_: the rule that its keys are made of; empty if it is the rule itself.
  std::vector<RuleId> mapped_;
  RuleId rule_count_;  // number of rules that keys are made of
  Vocabulary vocabulary_;
  bool gaps_;
  uint32_t number_bits_;
  std::map<std::string, int32_t, std::less<>> tag_numbers_;  // empty without tags of tokens
  std::optional<AtomReader> word_tags_;  // the tags of words, for sentences without tags
  std::vector<AtomReader> readers_;
  std::array<Group, kGroups> groups_;
  Parts rule_parts_, mixed_parts_;
  FamilyFeatures families_;
  size_t family_count_ = 0;
  // Per template: its group, and its index in the group or among the families.
  std::vector<std::pair<GroupNumber, uint32_t>> where_;
  std::vector<uint8_t> lengths_;  // source length per rule; empty if not needed
  uint64_t layout_ = 0;
};

}  // namespace demotic::features
