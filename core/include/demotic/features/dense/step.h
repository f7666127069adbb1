// The arguments of dense features: a rule applied to a source span, the jump to that span from the
// previous phrase, and a gap of the rule with the span that fills it.
#pragma once

#include <cstdint>
#include <string_view>

#include "demotic/rules/gap_reordering.h"
#include "demotic/rules/rule_store.h"

namespace demotic::features {

// Values of RuleStep::rule for steps that apply no rule.
inline constexpr RuleId kUnknownCopied = kNoRule;       // a word that no rule translates
inline constexpr RuleId kKnownCopied = UINT32_MAX - 1;  // a word that some rule translates
inline constexpr RuleId kGlueFirst = UINT32_MAX - 2;    // S -> X
inline constexpr RuleId kGlueNext = UINT32_MAX - 3;     // S -> S X

constexpr bool is_copy(RuleId rule) noexcept {
  return rule == kUnknownCopied || rule == kKnownCopied;
}
constexpr bool is_glue(RuleId rule) noexcept { return rule == kGlueFirst || rule == kGlueNext; }

struct RuleStep {
  RuleId rule;           // or one of the constants above
  int32_t target_words;  // without gaps
  bool copy_is_phrase;   // setting unknown_phrase_penalty: copies count as phrases
};

// The jump of a phrase step; Hiero has none.
struct Jump {
  int32_t first_open;  // first uncovered source word
  int32_t last_end;    // end of the previous phrase
  int32_t begin, end;  // span of this phrase
  bool early;          // setting early_distortion
};

// A gap of an applied rule; phrases have none.
struct FilledGap {
  bool reordered;                   // in its rule, see RuleStore::reordered_gaps
  int32_t size;                     // source words that it covers, at most kMaxGapSize
  const GapReordering& reordering;  // of the model
};

// The declaration of a feature, its kFeature.
struct DenseFeature {
  enum Kinds : uint8_t { kPhrase = 1, kHiero = 2, kBoth = 3 };

  std::string_view name;
  Kinds kinds;                   // search kinds that have it
  double weight;                 // initial weight before tuning, as in Moses
  std::string_view description;  // of the value
  bool optional = false;         // only models that name it have it
};

}  // namespace demotic::features
