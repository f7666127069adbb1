#include "demotic/features/template_features.h"

#include <algorithm>
#include <bit>
#include <stdexcept>

#include "demotic/base/errors.h"
#include "demotic/base/hash.h"
#include "demotic/features/rule_source.h"

namespace demotic::features {
namespace {

using enum FeaturePlace;

constexpr uint32_t bit_of(FeaturePlace place) noexcept { return 1u << uint32_t(place); }

constexpr uint32_t kTargetPlaces = bit_of(kTargetFirst) | bit_of(kTargetLast);
constexpr uint32_t kEdgePlaces = bit_of(kSourceFirst) | bit_of(kSourceLast);
constexpr uint32_t kContextPlaces = bit_of(kSourceBefore) | bit_of(kSourceAfter);
constexpr std::string_view kTokenTags = "source.token_tag";
constexpr uint32_t kPastPlaces = bit_of(kPastRule) | bit_of(kPastFirst) | bit_of(kPastLast);

uint32_t bits_for(uint64_t values) noexcept {
  return static_cast<uint32_t>(std::bit_width(std::max<uint64_t>(values, 2) - 1));
}

}  // namespace

TemplateFeatures::TemplateFeatures(std::vector<FeatureTemplate> templates,
                                   const std::vector<ClassLayer>& layers, RuleStore rules,
                                   Vocabulary vocabulary, bool gaps)
    : templates_(std::move(templates)),
      rules_(std::move(rules)),
      rule_count_(rules_.size()),
      vocabulary_(std::move(vocabulary)),
      gaps_(gaps),
      number_bits_(bits_for(templates_.size())) {
  find_token_tags(layers);
  for (const FeatureTemplate& one : templates_)
    if (one.spec()) families_.add_labels(*one.spec());
  for (size_t number = 0; number < templates_.size(); ++number) compile(number, layers);
  const bool asked =
      std::ranges::any_of(groups_, [](const Group& group) { return group.reads(kSourceLength); });
  if (gaps_ && asked) lengths_ = source_lengths(rules_);
  layout_ = hash_of_layout();
}

std::unique_ptr<TemplateFeatures> TemplateFeatures::for_rules(RuleStore rules,
                                                              std::vector<RuleId> same) const {
  if (same.size() != rules.size()) throw std::invalid_argument("expected one mapped rule per rule");
  auto result = std::make_unique<TemplateFeatures>(*this);
  result->rules_ = std::move(rules);
  result->mapped_ = std::move(same);
  if (!lengths_.empty()) result->lengths_ = source_lengths(result->rules_);
  return result;
}

void TemplateFeatures::find_token_tags(const std::vector<ClassLayer>& layers) {
  const auto layer = std::ranges::find(layers, kTokenTags, &ClassLayer::name);
  if (layer == layers.end()) return;
  for (int32_t tag = 0; tag < layer->size(); ++tag)
    tag_numbers_.emplace(layer->class_name(tag), tag);
}

int32_t TemplateFeatures::token_tag(std::string_view name) const {
  const auto found = tag_numbers_.find(name);
  return found == tag_numbers_.end() ? kNoneClass : found->second;
}

bool TemplateFeatures::is_token_tag(FeatureAtom atom) const noexcept {
  return has_token_tags() && atom.level == FeatureLevel::kTag && atom.place <= kSourceAfter;
}

void TemplateFeatures::compile(size_t number, const std::vector<ClassLayer>& layers) {
  const FeatureTemplate& one = templates_[number];
  if (std::find(templates_.begin(), templates_.begin() + number, one) !=
      templates_.begin() + number)
    throw ModelError(
        {.found = "the template '" + one.text() + "' twice", .expected = "each template once"});
  if (one.spec()) {
    compile_family(number);
    return;
  }
  const GroupNumber group_number = group_of(one);
  Group& group = groups_[group_number];
  Part unused;
  Part& part = group_number == kOfRule  ? rule_parts_[part_of(one)]
               : group_number == kMixed ? mixed_parts_[part_of(one)]
                                        : unused;
  uint32_t bits = 0;
  for (const FeatureAtom atom : one.atoms()) {
    const uint32_t reader = reader_for(atom, layers);
    const uint32_t width = bits_for(readers_[reader].values);
    const Field field{0, static_cast<uint8_t>(bits), static_cast<uint8_t>(width)};
    add_field(group, reader, atom.place, field);
    add_field(depends_on_target(atom.place) ? part.varying : part.fixed, reader, atom.place, field);
    bits += width;
  }
  if (bits + number_bits_ > 64)
    throw ModelError(
        {.found = "the template '" + one.text() + "', whose features need " +
                  std::to_string(bits + number_bits_) + " bits",
         .expected =
             "at most 64, of which " + std::to_string(number_bits_) + " identify the template",
         .advice = "use fewer places, cheaper levels, fewer rules or a smaller vocabulary"});
  where_.emplace_back(group_number, static_cast<uint32_t>(group.numbers.size()));
  for (Group* one_of : {&group, &part.fixed, &part.varying})
    end_template(*one_of, uint64_t{number} << (64 - number_bits_));
}

void TemplateFeatures::compile_family(size_t number) {
  families_.add(*templates_[number].spec(), vocabulary_, gaps_,
                uint64_t{number} << (64 - number_bits_), number_bits_);
  where_.emplace_back(kOfFamily, static_cast<uint32_t>(family_count_++));
}

void TemplateFeatures::add_field(Group& group, uint32_t reader, FeaturePlace place, Field field) {
  const auto known = std::ranges::find(group.readers, reader);
  field.reader = static_cast<uint8_t>(known - group.readers.begin());
  if (known == group.readers.end()) group.readers.push_back(reader);
  group.fields.push_back(field);
  group.places |= bit_of(place);
}

void TemplateFeatures::end_template(Group& group, FeatureKey number) {
  group.ends.push_back(static_cast<uint32_t>(group.fields.size()));
  group.numbers.push_back(number);
}

TemplateFeatures::GroupNumber TemplateFeatures::group_of(const FeatureTemplate& one) const {
  uint32_t seen = 0;
  for (const FeatureAtom atom : one.atoms()) seen |= bit_of(atom.place);
  // What depends on the rule alone, and on the span alone.
  const uint32_t of_rule =
      kTargetPlaces | bit_of(kRule) | bit_of(kSourceLength) | (gaps_ ? 0 : kEdgePlaces);
  const uint32_t of_span = kEdgePlaces | kContextPlaces | (gaps_ ? 0 : bit_of(kSourceLength));
  const bool of_tokens =
      std::ranges::any_of(one.atoms(), [&](const FeatureAtom atom) { return is_token_tag(atom); });
  if (seen & kPastPlaces) {
    if ((seen & ~(kPastPlaces | of_rule)) == 0 && !of_tokens) return kJoint;
    throw ModelError({.found = "the template '" + one.text() +
                               "', which combines the past with the source sentence",
                      .expected = "past places only together with the rule or its target side",
                      .advice = of_tokens ? "give a list of tags of words, not of tokens" : ""});
  }
  // The same features fire as with tags of words: none of these for copied words.
  if ((seen & ~of_rule) == 0) return of_tokens ? kMixed : kOfRule;
  return (seen & ~of_span) == 0 ? kOfSpan : kMixed;
}

uint32_t TemplateFeatures::reader_for(FeatureAtom atom, const std::vector<ClassLayer>& layers) {
  const auto known = std::ranges::find(readers_, atom, &AtomReader::atom);
  if (known != readers_.end()) return static_cast<uint32_t>(known - readers_.begin());
  const std::optional<ClassLayer> layer = layer_for(atom, layers);
  AtomReader made{atom, layer, layer ? layer->classes() : std::span<const int32_t>()};
  made.values = value_count(made);
  made.slot = static_cast<uint32_t>(atom.place);
  if (layer || atom.level == FeatureLevel::kWord) {
    made.plain_begin = layer ? kReservedWords : 0;
    made.plain_end = std::max<uint32_t>(made.plain_begin, vocabulary_.size());
  }
  if (is_token_tag(atom)) {
    word_tags_ = made;
    // read_tags has already found the value.
    made.classes = {};
    made.plain_begin = 0;
    made.plain_end = static_cast<uint32_t>(made.values);
    made.slot = static_cast<uint32_t>(kFeaturePlaces + size_t(atom.place));
  }
  readers_.push_back(std::move(made));
  return static_cast<uint32_t>(readers_.size() - 1);
}

std::optional<ClassLayer> TemplateFeatures::layer_for(FeatureAtom atom,
                                                      const std::vector<ClassLayer>& layers) const {
  const std::string wanted = is_token_tag(atom) ? std::string(kTokenTags) : layer_of(atom);
  if (wanted.empty()) return std::nullopt;
  const auto found = std::ranges::find(layers, wanted, &ClassLayer::name);
  if (found == layers.end())
    throw ModelError({.found = "no layer of word classes called " + wanted,
                      .expected = "a layer for the templates with " + text_of(atom),
                      .advice = "create the layer, or remove these templates"});
  if (found->words() != vocabulary_.size())
    throw ModelError(
        {.found = "the layer " + wanted + " over " + std::to_string(found->words()) + " words",
         .expected = std::to_string(vocabulary_.size()) + " words, the vocabulary of the model",
         .advice = "create the layer again"});
  return *found;
}

void TemplateFeatures::add_rule_keys(RuleId rule, std::vector<FeatureKey>& keys) const {
  const Group& group = groups_[kOfRule];
  if (rule == kNoRule) return;
  if (!group.empty()) {
    PlaceValues places;
    read_target(group, rule, places);
    read_source(group, rule, places);
    add(group, places, keys);
    if (lacks(rule)) drop_templates(group, bit_of(kRule), keys);
  }
  families_.add_rule_keys(rules_, rule, keys);
}

void TemplateFeatures::add_span_keys(const SentenceWords& sentence, int32_t begin, int32_t end,
                                     std::vector<FeatureKey>& keys) const {
  const Group& group = groups_[kOfSpan];
  if (!group.empty()) {
    PlaceValues places;
    read_span(sentence, begin, end, places);
    add(group, places, keys);
  }
  families_.add_span_keys(sentence, begin, end, keys);
}

void TemplateFeatures::add_mixed_keys(RuleId rule, const SentenceWords& sentence, int32_t begin,
                                      int32_t end, std::vector<FeatureKey>& keys) const {
  const Group& group = groups_[kMixed];
  if (rule == kNoRule) return;
  if (!group.empty()) {
    PlaceValues places;
    read_span(sentence, begin, end, places);
    read_target(group, rule, places);
    if (gaps_ && !lengths_.empty()) places[size_t(kSourceLength)] = lengths_[rule];
    add(group, places, keys);
    if (lacks(rule)) drop_templates(group, bit_of(kRule), keys);
  }
  families_.add_mixed_keys(rules_, rule, sentence, begin, end, keys);
}

SparseFeatures::Past TemplateFeatures::relevant(const Past& past) const noexcept {
  const Group& group = groups_[kJoint];
  // The last word becomes the second to last in the next step.
  const bool last =
      group.reads(kPastLast) || group.reads(kPastFirst) || families_.any(SparseFamily::kJoint);
  return {group.reads(kPastRule) ? past.rule : kNoRule,
          {group.reads(kPastFirst) ? past.words[0] : -1, last ? past.words[1] : -1}};
}

void TemplateFeatures::add_joint_keys(const Past& past, RuleId rule,
                                      std::vector<FeatureKey>& keys) const {
  if (rule == kNoRule) return;
  if (!groups_[kJoint].empty()) add_joint_template_keys(past, rule, keys);
  families_.add_joint_keys(rules_, past.words[1], rule, keys);
}

void TemplateFeatures::add_joint_template_keys(const Past& past, RuleId rule,
                                               std::vector<FeatureKey>& keys) const {
  const Group& group = groups_[kJoint];
  PlaceValues places;
  read_target(group, rule, places);
  read_source(group, rule, places);
  places[size_t(kPastRule)] =
      mapped_.empty() || past.rule == kNoRule ? past.rule : mapped_[past.rule];
  places[size_t(kPastFirst)] = static_cast<uint32_t>(past.words[0]);
  places[size_t(kPastLast)] = static_cast<uint32_t>(past.words[1]);
  add(group, places, keys);
  const uint32_t missing = (lacks(rule) ? bit_of(kRule) : 0) |
                           (past.rule != kNoRule && lacks(past.rule) ? bit_of(kPastRule) : 0);
  if (missing != 0) drop_templates(group, missing, keys);
}

// Of the keys that `group` has just added, drops those of templates that read one of `places`.
void TemplateFeatures::drop_templates(const Group& group, uint32_t places,
                                      std::vector<FeatureKey>& keys) const {
  const size_t first = keys.size() - group.numbers.size();
  size_t kept = first;
  const Field* field = group.fields.data();
  for (size_t i = 0; i < group.numbers.size(); ++i) {
    uint32_t seen = 0;
    for (const Field* end = group.fields.data() + group.ends[i]; field != end; ++field)
      seen |= bit_of(readers_[group.readers[field->reader]].atom.place);
    if ((seen & places) == 0) keys[kept++] = keys[first + i];
  }
  keys.resize(kept);
}

void TemplateFeatures::read_target(const Group& group, RuleId rule,
                                   PlaceValues& places) const noexcept {
  places[size_t(kRule)] = mapped_.empty() ? rule : mapped_[rule];
  if (!(group.places & kTargetPlaces)) return;
  const TargetEdges edges = target_edges(rule);
  places[size_t(kTargetFirst)] = edges.first;
  places[size_t(kTargetLast)] = edges.last;
}

TargetEdges TemplateFeatures::target_edges(RuleId rule) const noexcept {
  const auto seen = [](Symbol symbol) {
    return is_gap(symbol) ? kGapValue : static_cast<uint32_t>(symbol);
  };
  TargetEdges edges{kEmptyValue, kEmptyValue};
  for (const Symbol symbol : rules_.target(rule)) {
    edges.last = seen(symbol);
    if (edges.first == kEmptyValue) edges.first = edges.last;
  }
  return edges;
}

void TemplateFeatures::read_source(const Group& group, RuleId rule, PlaceValues& places) const {
  if (gaps_) {
    if (!lengths_.empty()) places[size_t(kSourceLength)] = lengths_[rule];
    return;
  }
  if (!(group.places & (kEdgePlaces | bit_of(kSourceLength)))) return;
  uint32_t length = 0;
  visit_rule_source(rules_, rule, [&](Symbol symbol) {
    const uint32_t seen = is_gap(symbol) ? kGapValue : static_cast<uint32_t>(symbol);
    if (length++ == 0) places[size_t(kSourceFirst)] = seen;
    places[size_t(kSourceLast)] = seen;
  });
  places[size_t(kSourceLength)] = length;
}

void TemplateFeatures::read_span(const SentenceWords& sentence, int32_t begin, int32_t end,
                                 PlaceValues& places) const noexcept {
  const auto& words = sentence.words;
  const bool at_end = static_cast<size_t>(end) == words.size();
  places[size_t(kSourceFirst)] = static_cast<uint32_t>(words[begin]);
  places[size_t(kSourceLast)] = static_cast<uint32_t>(words[end - 1]);
  places[size_t(kSourceBefore)] =
      static_cast<uint32_t>(begin > 0 ? words[begin - 1] : kSentenceBegin);
  places[size_t(kSourceAfter)] = static_cast<uint32_t>(at_end ? sentence.after : words[end]);
  places[size_t(kSourceLength)] = static_cast<uint32_t>(end - begin);
  if (word_tags_) read_tags(sentence, begin, end, places);
}

void TemplateFeatures::read_tags(const SentenceWords& sentence, int32_t begin, int32_t end,
                                 PlaceValues& places) const noexcept {
  const auto read = [&](FeaturePlace place, int32_t position) {
    const bool tagged = position >= 0 && static_cast<size_t>(position) < sentence.tags.size();
    places[kFeaturePlaces + size_t(place)] = static_cast<uint32_t>(
        tagged ? sentence.tags[position] : value(*word_tags_, places[size_t(place)]));
  };
  read(kSourceFirst, begin);
  read(kSourceLast, end - 1);
  read(kSourceBefore, begin - 1);
  read(kSourceAfter, end);
}

void TemplateFeatures::add(const Group& group, const PlaceValues& places,
                           std::span<const FeatureKey> bases, std::vector<FeatureKey>& keys) const {
  // Places times levels: the maximum number of distinct readers.
  std::array<uint64_t, kFeaturePlaces * 9> seen;
  for (size_t i = 0; i < group.readers.size(); ++i) {
    const AtomReader& reader = readers_[group.readers[i]];
    seen[i] = value(reader, places[reader.slot]);
  }
  const size_t first = keys.size();
  keys.insert(keys.end(), bases.begin(), bases.end());
  const Field* field = group.fields.data();
  for (size_t i = 0; i < bases.size(); ++i)
    for (const Field* end = group.fields.data() + group.ends[i]; field != end; ++field)
      keys[first + i] |= seen[field->reader] << field->shift;
}

uint64_t TemplateFeatures::hash_of_layout() const {
  std::string all = gaps_ ? "hiero" : "phrase";
  for (const FeatureTemplate& one : templates_) all += '\n' + one.text();
  for (const AtomReader& reader : readers_) all += '\n' + std::to_string(reader.values);
  return hash_bytes(all);
}

}  // namespace demotic::features
