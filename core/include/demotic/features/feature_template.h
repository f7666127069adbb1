// A template of sparse features: a set of places to look at, each at a level of detail. Whenever a
// rule is applied, the template yields one feature, the conjunction of the values found there (Yu
// et al. 2013, "Max-violation perceptron and forced decoding for scalable MT training", section 4).
// As text: `source.first:word target.first:cluster`.
//
// Each level has a cost, and the costs of a template may not exceed kFeatureBudget (their Table 1):
// two words fit into one feature, three do not. Places without a level cost nothing.
//
// A line such as `family syntax-fine labels=NP,VP` stands for a family of features instead, see
// FamilySpec; it has no places and costs nothing.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "demotic/features/family_spec.h"

namespace demotic::features {

enum class FeaturePlace : uint8_t {
  kSourceFirst,   // first word of the span that the rule is applied to
  kSourceLast,    // last word of the span
  kSourceBefore,  // word before the span; <s> at the start of the sentence
  kSourceAfter,   // word after the span; </s> at the end of the sentence
  kSourceLength,  // number of symbols of the rule's source side
  kTargetFirst,   // first symbol of the rule's target side
  kTargetLast,    // last symbol of the rule's target side
  kRule,          // the rule itself
  kPastRule,      // the rule applied before it
  kPastFirst,     // second to last word of the translation so far
  kPastLast,      // last word of the translation so far
};
inline constexpr size_t kFeaturePlaces = 11;

enum class FeatureLevel : uint8_t {
  kItself,  // for places without levels: a number or a rule
  kWord,
  kFirstChar,  // kFirstChar and kLastChar: source words only
  kLastChar,
  kCluster,
  kPrefix6,
  kPrefix4,
  kTag,
  kType,
};

struct FeatureAtom {
  FeaturePlace place;
  FeatureLevel level;
  friend auto operator<=>(const FeatureAtom&, const FeatureAtom&) = default;
};

inline constexpr int kFeatureBudget = 10;

std::string_view text_of(FeaturePlace place) noexcept;
std::string_view text_of(FeatureLevel level) noexcept;
std::string text_of(FeatureAtom atom);
int cost_of(FeatureLevel level) noexcept;
// The name of the layer of word classes that an atom needs, such as `source.cluster`; empty if it
// needs none.
std::string layer_of(FeatureAtom atom);

class FeatureTemplate {
 public:
  // Throws FormatError (without a path) for text that is not a template, or that exceeds the
  // budget.
  explicit FeatureTemplate(std::string_view text);
  explicit FeatureTemplate(FamilySpec spec) : spec_(std::move(spec)) {}

  const std::vector<FeatureAtom>& atoms() const noexcept { return atoms_; }  // sorted and distinct
  const std::optional<FamilySpec>& spec() const noexcept { return spec_; }   // if it is a family
  std::string text() const;  // canonical, in that order
  int cost() const noexcept;
  // The name of the family; of a template `nonlocal` if it looks at the past, `ruleid` if only at
  // the rule, otherwise `wordedges`.
  std::string_view family() const noexcept;

  friend bool operator==(const FeatureTemplate&, const FeatureTemplate&) = default;

 private:
  std::vector<FeatureAtom> atoms_;
  std::optional<FamilySpec> spec_;
};

}  // namespace demotic::features
