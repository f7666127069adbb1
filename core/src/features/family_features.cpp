#include "demotic/features/family_features.h"

#include <algorithm>
#include <array>
#include <stdexcept>

#include "demotic/base/errors.h"
#include "demotic/features/families/distortion.h"
#include "demotic/features/families/rule_length.h"
#include "demotic/features/families/rule_shape.h"
#include "demotic/features/families/soft_syntax.h"
#include "demotic/features/families/target_bigrams.h"
#include "demotic/features/families/unaligned_words.h"
#include "demotic/features/families/word_context.h"
#include "demotic/features/families/word_translation.h"
#include "demotic/features/own_features.h"
#include "demotic/features/rule_source.h"

namespace demotic::features {
namespace {

using Made = std::shared_ptr<const SparseFamily>;

struct Listed {
  FamilyInfo info;
  Made (*make)(const FamilyContext&);
};

// A family whose constructor takes the context, then these arguments.
template <typename Family, auto... kArguments>
Made make(const FamilyContext& context) {
  return std::make_shared<Family>(context, kArguments...);
}
template <typename Family>
Made make_plain(const FamilyContext&) {
  return std::make_shared<Family>();
}

FamilyInfo syntax(std::string_view name) { return {name, {"labels"}, "min-count", 100, true}; }

// Every family, by name.
const std::vector<Listed>& all_families() {
  static const std::vector<Listed> all = {
      {{"deletion", {"deleted"}, "top", 150}, make<UnalignedWords, false>},
      {{"distortion", {}, "", 0}, make_plain<DistortionFamily>},
      {{"insertion", {"inserted"}, "top", 150}, make<UnalignedWords, true>},
      {{"length", {}, "", 0}, make_plain<RuleLength>},
      {{.name = "python", .lists = {"code", "function"}, .number = "", .required = "function"},
       make<OwnFeatures>},
      {{"shape", {}, "", 0}, make_plain<RuleShape>},
      {syntax("syntax-coarse"), make<SoftSyntax, false>},
      {syntax("syntax-fine"), make<SoftSyntax, true>},
      {{"target-bigrams", {"target"}, "top", 200}, make<TargetBigrams>},
      {{"word-context", {"pairs"}, "top", 300}, make<WordContext>},
      {{"word-translation", {"source", "target"}, "top", 200}, make<WordTranslation>},
  };
  return all;
}

// The content of one rule, read into a buffer.
class RuleReader {
 public:
  explicit RuleReader(const RuleStore& store) : store_(store) {}

  void read_source(RuleId rule) {
    source_size_ = 0;
    visit_rule_source(store_, rule, [&](Symbol symbol) {
      if (source_size_ < kMax) source_[source_size_++] = symbol;
    });
  }
  // The target side and the links; the source side is the last one read.
  RuleSides read(RuleId rule) {
    size_t size = 0;
    for (const Symbol symbol : store_.target(rule)) target_[size++] = symbol;
    return {{source_.data(), source_size_}, {target_.data(), size}, store_.links(rule)};
  }

 private:
  static constexpr size_t kMax = 256;  // links are bytes, and target sides have at most 255 symbols
  static_assert(kMaxTargetSymbols < kMax);

  const RuleStore& store_;
  std::array<Symbol, kMax> source_, target_;
  size_t source_size_ = 0;
};

}  // namespace

std::span<const FamilyInfo> family_infos() {
  static const std::vector<FamilyInfo> infos = [] {
    std::vector<FamilyInfo> made;
    for (const Listed& one : all_families()) made.push_back(one.info);
    return made;
  }();
  return infos;
}

void FamilyFeatures::add_labels(const FamilySpec& spec) {
  if (!spec.info().trees) return;
  for (const std::string& name : spec.list("labels"))
    if (label(name) < 0) labels_.push_back(name);
}

void FamilyFeatures::add(const FamilySpec& spec, const Vocabulary& vocabulary, bool gaps,
                         FeatureKey base, uint32_t number_bits) {
  const auto listed = std::ranges::find(all_families(), spec.info().name,
                                        [](const Listed& one) { return one.info.name; });
  Made made = listed->make({spec, vocabulary, gaps, labels_});
  if (made->values() > uint64_t{1} << (64 - number_bits))
    throw ModelError({.found = "family " + std::string(spec.info().name) + " with " +
                               std::to_string(made->values()) + " features",
                      .expected = "at most 2^" + std::to_string(64 - number_bits),
                      .advice = "give shorter lists"});
  groups_ |= made->groups();
  families_.push_back({std::move(made), base});
}

int32_t FamilyFeatures::label(std::string_view name) const noexcept {
  const auto found = std::ranges::find(labels_, name);
  return found == labels_.end() ? -1 : static_cast<int32_t>(found - labels_.begin());
}

template <typename Add>
void FamilyFeatures::collect(SparseFamily::Group group, std::vector<FeatureKey>& keys,
                             Add&& add) const {
  for (const Family& family : families_) {
    if (!(family.made->groups() & group)) continue;
    const size_t first = keys.size();
    add(*family.made, keys);
    const auto begin = keys.begin() + static_cast<ptrdiff_t>(first);
    for (auto key = begin; key != keys.end(); ++key) *key |= family.base;
    if (keys.size() - first < 2) continue;
    std::sort(begin, keys.end());
    keys.erase(std::unique(begin, keys.end()), keys.end());
  }
}

bool FamilyFeatures::has_mixed(const RuleStore& rules, RuleId rule) const {
  if (!any(SparseFamily::kMixed)) return false;
  RuleReader reader(rules);
  reader.read_source(rule);
  const RuleSides sides = reader.read(rule);
  return std::ranges::any_of(families_, [&](const Family& family) {
    return (family.made->groups() & SparseFamily::kMixed) && family.made->has_mixed(sides);
  });
}

void FamilyFeatures::add_rule_keys(const RuleStore& rules, RuleId rule,
                                   std::vector<FeatureKey>& keys) const {
  if (!any(SparseFamily::kRule)) return;
  RuleReader reader(rules);
  reader.read_source(rule);
  const RuleSides sides = reader.read(rule);
  collect(SparseFamily::kRule, keys,
          [&](const SparseFamily& one, auto& to) { one.add_rule_values(sides, to); });
}

void FamilyFeatures::add_span_keys(const SentenceWords& sentence, int32_t begin, int32_t end,
                                   std::vector<FeatureKey>& keys) const {
  if (!any(SparseFamily::kSpan)) return;
  collect(SparseFamily::kSpan, keys, [&](const SparseFamily& one, auto& to) {
    one.add_span_values(sentence, begin, end, to);
  });
}

void FamilyFeatures::add_mixed_keys(const RuleStore& rules, RuleId rule,
                                    const SentenceWords& sentence, int32_t begin, int32_t end,
                                    std::vector<FeatureKey>& keys) const {
  if (!any(SparseFamily::kMixed)) return;
  RuleReader reader(rules);
  reader.read_source(rule);
  const RuleSides sides = reader.read(rule);
  collect(SparseFamily::kMixed, keys, [&](const SparseFamily& one, auto& to) {
    one.add_mixed_values(sides, sentence, begin, end, to);
  });
}

void FamilyFeatures::add_joint_keys(const RuleStore& rules, WordId last, RuleId rule,
                                    std::vector<FeatureKey>& keys) const {
  if (!any(SparseFamily::kJoint)) return;
  RuleReader reader(rules);  // joint features do not look at the source side
  const RuleSides sides = reader.read(rule);
  collect(SparseFamily::kJoint, keys,
          [&](const SparseFamily& one, auto& to) { one.add_joint_values(last, sides, to); });
}

void FamilyFeatures::add_gap_keys(bool reordered, int32_t size,
                                  std::vector<FeatureKey>& keys) const {
  if (!any(SparseFamily::kGaps)) return;
  collect(SparseFamily::kGaps, keys,
          [&](const SparseFamily& one, auto& to) { one.add_gap_values(reordered, size, to); });
}

template <typename Add>
void FamilyFeatures::share(const RuleStore& store, std::span<const RuleId> rules,
                           SharedKeys& shared, Add&& add) const {
  ++shared.parts;
  RuleReader reader(store);
  reader.read_source(rules[0]);
  for (const RuleId rule : rules) {
    add(reader.read(rule));
    shared.groups.push_back(shared.end_group());
  }
}

void FamilyFeatures::share_rule_keys(const RuleStore& store, std::span<const RuleId> rules,
                                     SharedKeys& shared) const {
  if (!any(SparseFamily::kRule)) return;
  share(store, rules, shared, [&](const RuleSides& sides) {
    collect(SparseFamily::kRule, shared.keys,
            [&](const SparseFamily& one, auto& to) { one.add_rule_values(sides, to); });
  });
}

void FamilyFeatures::share_mixed_keys(const RuleStore& store, std::span<const RuleId> rules,
                                      const SentenceWords& sentence, int32_t begin, int32_t end,
                                      SharedKeys& shared) const {
  if (!any(SparseFamily::kMixed)) return;
  share(store, rules, shared, [&](const RuleSides& sides) {
    collect(SparseFamily::kMixed, shared.keys, [&](const SparseFamily& one, auto& to) {
      one.add_mixed_values(sides, sentence, begin, end, to);
    });
  });
}

std::string FamilyFeatures::name(size_t family, uint64_t value) const {
  if (value >= values(family)) throw std::invalid_argument("the key belongs to no feature");
  return families_[family].made->name(value);
}

}  // namespace demotic::features
