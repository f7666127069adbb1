// The keys of many rules with one source side. Fields that depend on the source side are packed
// once; those that depend on the target side once per distinct first symbol, last symbol, or pair
// of both.
#include "demotic/features/template_features.h"

namespace demotic::features {
namespace {

using enum FeaturePlace;

constexpr size_t kRulesAhead = 16;  // prefetch distance in rules

}  // namespace

bool TemplateFeatures::depends_on_target(FeaturePlace place) noexcept {
  return place == kTargetFirst || place == kTargetLast || place == kRule;
}

TemplateFeatures::PartNumber TemplateFeatures::part_of(const FeatureTemplate& one) noexcept {
  bool first = false, last = false;
  for (const FeatureAtom atom : one.atoms()) {
    if (atom.place == kRule) return kItself;
    first |= atom.place == kTargetFirst;
    last |= atom.place == kTargetLast;
  }
  if (first && last) return kBoth;
  return first ? kFirst : last ? kLast : kNothing;
}

void TemplateFeatures::share_rule_keys(std::span<const RuleId> rules, SharedKeys& shared) const {
  shared.clear();
  if (rules.empty()) return;
  PlaceValues places;
  read_source(groups_[kOfRule], rules[0], places);
  share(rule_parts_, rules, places, shared);
  families_.share_rule_keys(rules_, rules, shared);
}

void TemplateFeatures::share_mixed_keys(std::span<const RuleId> rules,
                                        const SentenceWords& sentence, int32_t begin, int32_t end,
                                        SharedKeys& shared) const {
  shared.clear();
  if (rules.empty()) return;
  if (!groups_[kMixed].empty()) {
    PlaceValues places;
    read_span(sentence, begin, end, places);
    if (gaps_ && !lengths_.empty()) places[size_t(kSourceLength)] = lengths_[rules[0]];
    share(mixed_parts_, rules, places, shared);
  }
  families_.share_mixed_keys(rules_, rules, sentence, begin, end, shared);
}

void TemplateFeatures::share(const Parts& parts, std::span<const RuleId> rules, PlaceValues& places,
                             SharedKeys& shared) const {
  read_edges(rules, shared.edges);
  for (int number = 0; number < kParts; ++number) {
    const Part& part = parts[number];
    if (part.fixed.empty()) continue;
    ++shared.parts;
    shared.bases.clear();
    add(part.fixed, places, shared.bases);
    shared.known.clear();
    const auto made = [&](size_t i) {
      places[size_t(kRule)] = mapped_.empty() ? rules[i] : mapped_[rules[i]];
      places[size_t(kTargetFirst)] = shared.edges[i].first;
      places[size_t(kTargetLast)] = shared.edges[i].last;
      add(part.varying, places, shared.bases, shared.keys);
      return shared.end_group();
    };
    for (size_t i = 0; i < rules.size(); ++i) {
      if (number == kItself) {  // no two rules are equal
        shared.groups.push_back(lacks(rules[i]) ? shared.end_group() : made(i));
        continue;
      }
      const auto [group, fresh] =
          shared.known.insert(target_key(PartNumber(number), shared.edges[i]));
      if (fresh) group = made(i);
      shared.groups.push_back(group);
    }
  }
}

// What the templates of a part see of a target side, as one number.
uint64_t TemplateFeatures::target_key(PartNumber part, TargetEdges edges) noexcept {
  switch (part) {
    case kFirst:
      return edges.first;
    case kLast:
      return edges.last;
    case kBoth:
      return uint64_t{edges.first} << 32 | edges.last;
    default:
      return 0;
  }
}

void TemplateFeatures::read_edges(std::span<const RuleId> rules,
                                  std::vector<TargetEdges>& edges) const {
  edges.clear();
  for (size_t i = 0; i < rules.size(); ++i) {
    if (i + kRulesAhead < rules.size()) rules_.prefetch_target(rules[i + kRulesAhead]);
    edges.push_back(target_edges(rules[i]));
  }
}

}  // namespace demotic::features
