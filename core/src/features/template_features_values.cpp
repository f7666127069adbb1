// The values of template features as numbers, and these numbers as text.
//
// A word is its id; two further values stand for a gap and for an empty target side. A class is its
// number, followed by <s>, </s> and the same two values, because layers assign no class to reserved
// words. A length is at most 255. A rule is its id; "no rule" is the number of rules.
#include <optional>
#include <stdexcept>

#include "demotic/features/rule_source.h"
#include "demotic/features/template_features.h"

namespace demotic::features {
namespace {

using enum FeaturePlace;

constexpr uint64_t kMaxLength = 255;
constexpr std::string_view kGapName = "[gap]", kNothingName = "[none]";

}  // namespace

uint64_t TemplateFeatures::value_count(const AtomReader& reader) const noexcept {
  switch (reader.atom.place) {
    case kSourceLength:
      return kMaxLength + 1;
    case kRule:
    case kPastRule:
      return uint64_t{rule_count_} + 1;
    default:
      return reader.layer ? static_cast<uint64_t>(reader.layer->size()) + 4
                          : static_cast<uint64_t>(vocabulary_.size()) + 2;
  }
}

uint64_t TemplateFeatures::special_value(const AtomReader& reader, uint32_t raw) const noexcept {
  const auto words = static_cast<uint32_t>(vocabulary_.size());
  switch (reader.atom.place) {
    case kSourceLength:
      return std::min<uint64_t>(raw, kMaxLength);
    case kRule:
    case kPastRule:
      return raw == kNoRule ? rule_count_ : raw;
    default:
      break;
  }
  const uint64_t after = reader.values - 2;
  if (raw == kGapValue) return after;
  if (raw == kEmptyValue) return after + 1;
  if (reader.classes.empty()) return raw < words ? raw : kUnknown;
  if (raw == kSentenceBegin || raw == kSentenceEnd) return after - 3 + raw;
  return raw < words ? static_cast<uint64_t>(reader.classes[raw]) : kNoneClass;
}

size_t TemplateFeatures::template_of(FeatureKey key) const {
  const uint64_t number = key >> (64 - number_bits_);
  if (number >= templates_.size()) throw std::invalid_argument("the key belongs to no template");
  return number;
}

std::string TemplateFeatures::name(FeatureKey key) const {
  const auto [group_number, place] = where_[template_of(key)];
  if (group_number == kOfFamily) return families_.name(place, own_bits(key));
  const Group& group = groups_[group_number];
  uint32_t field = place == 0 ? 0 : group.ends[place - 1];
  std::string text;
  uint32_t bits = 0;
  for (; field < group.ends[place]; ++field) {
    const Field& at = group.fields[field];
    const AtomReader& reader = readers_[group.readers[at.reader]];
    const uint64_t stored = key >> at.shift & ((uint64_t{1} << at.bits) - 1);
    bits = at.shift + at.bits;
    if (!text.empty()) text += ' ';
    text += text_of(reader.atom) + '=' + value_name(reader, stored);
  }
  const uint64_t rest = key & ~group.numbers[place];
  if (bits < 64 && rest >> bits != 0) throw std::invalid_argument("the key belongs to no template");
  return text;
}

std::string TemplateFeatures::value_name(const AtomReader& reader, uint64_t stored) const {
  if (stored >= reader.values) throw std::invalid_argument("the key belongs to no template");
  switch (reader.atom.place) {
    case kSourceLength:
      return std::to_string(stored);
    case kRule:
    case kPastRule:
      return stored == rule_count_ ? std::string(kNothingName)
                                   : rule_name(static_cast<RuleId>(stored));
    default:
      break;
  }
  if (stored == reader.values - 2) return std::string(kGapName);
  if (stored == reader.values - 1) return std::string(kNothingName);
  if (!reader.layer) return std::string(vocabulary_.word(static_cast<WordId>(stored)));
  const auto classes = static_cast<uint64_t>(reader.layer->size());
  if (stored >= classes)
    return std::string(vocabulary_.word(static_cast<WordId>(stored - classes + kSentenceBegin)));
  return std::string(reader.layer->class_name(static_cast<int32_t>(stored)));
}

// The format of src/demotic/rules.py; phrase pairs without a left-hand side.
std::string TemplateFeatures::rule_name(RuleId rule) const {
  const std::vector<std::string>& labels = rules_.labels();
  std::string text;
  std::vector<int32_t> gap_labels;
  const auto add = [&](Symbol symbol, size_t gap) {
    if (is_gap(symbol)) {
      text.append("[").append(labels[gap_labels[gap]]).append(",");
      text.append(std::to_string(gap + 1)).append("] ");
    } else {
      text.append(vocabulary_.word(symbol)).append(" ");
    }
  };
  if (gaps_) text.append("[").append(labels[rules_.lhs(rule)]).append("] ||| ");
  visit_rule_source(rules_, rule, [&](Symbol symbol) {
    if (is_gap(symbol)) gap_labels.push_back(gap_index(symbol));
    add(symbol, gap_labels.size() - 1);
  });
  text += "||| ";
  for (const Symbol symbol : rules_.target(rule)) add(symbol, gap_index(symbol));
  text.pop_back();
  return text;
}

}  // namespace demotic::features
