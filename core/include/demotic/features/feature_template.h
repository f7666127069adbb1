// A template of sparse features: which things are looked at, and how closely. For each rule that is
// used it makes one feature out of what stands there (Yu et al. 2013, "Max-violation perceptron and
// forced decoding for scalable MT training", section 4). As text: `source.first:word
// target.first:cluster`.
//
// Levels have costs, those of a template together at most kBudget (their Table 1): two words may
// stand in one feature, three may not. What has no level costs nothing.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "demotic/namespaces.h"

namespace demotic::features {

enum class FeaturePlace : uint8_t {
  kSourceFirst,   // the first word of the span that the rule is used on
  kSourceLast,    // its last
  kSourceBefore,  // the word before the span; <s> at the edge
  kSourceAfter,   // the word behind it; </s> at the edge
  kSourceLength,  // symbols of the rule's source side
  kTargetFirst,   // the first symbol of the rule's target side
  kTargetLast,    // its last
  kRule,          // the rule itself
  kPastRule,      // the rule used before it
  kPastFirst,     // the last word but one of what was translated before
  kPastLast,      // the last word
};
inline constexpr size_t kFeaturePlaces = 11;

enum class FeatureLevel : uint8_t {
  kItself,  // where there is nothing to choose: a number, a rule
  kWord,
  kFirstChar,  // only of source words, like the next
  kLastChar,
  kCluster,
  kPrefix6,
  kPrefix4,
  kTag,
  kType,
};

enum class FeatureFamily : uint8_t { kRuleId, kWordEdges, kNonLocal };

struct FeatureAtom {
  FeaturePlace place;
  FeatureLevel level;
  friend auto operator<=>(const FeatureAtom&, const FeatureAtom&) = default;
};

inline constexpr int kFeatureBudget = 10;

std::string_view text_of(FeaturePlace place) noexcept;
std::string_view text_of(FeatureLevel level) noexcept;
std::string_view text_of(FeatureFamily family) noexcept;
std::string text_of(FeatureAtom atom);
int cost_of(FeatureLevel level) noexcept;
// The name that a layer of word classes must have to serve an atom, like `source.cluster`; empty if
// it needs none.
std::string layer_of(FeatureAtom atom);

class FeatureTemplate {
 public:
  // Throws FormatError (without a path) for what is no template and for one over the budget.
  explicit FeatureTemplate(std::string_view text);

  const std::vector<FeatureAtom>& atoms() const noexcept {
    return atoms_;
  }  // sorted, all different
  std::string text() const;  // in that order
  int cost() const noexcept;
  // kNonLocal looks at the past, kRuleId at the rule only, all others are kWordEdges.
  FeatureFamily family() const noexcept;

  friend bool operator==(const FeatureTemplate&, const FeatureTemplate&) = default;

 private:
  std::vector<FeatureAtom> atoms_;
};

}  // namespace demotic::features
