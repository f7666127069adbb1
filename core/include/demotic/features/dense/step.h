// What dense features look at: one rule applied to a span of the source, and the jump to that span
// from the phrase before it.
#pragma once

#include <cstdint>
#include <string_view>

#include "demotic/rules/rule_store.h"

namespace demotic::features {

// What stands in the place of a rule where none is applied.
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

// Phrases only.
struct Jump {
  int32_t first_open;  // the first source word that is not covered yet
  int32_t last_end;    // end of the phrase before
  int32_t begin, end;  // of the phrase
  bool early;          // setting early_distortion
};

// What a feature declares of itself as kFeature.
struct DenseFeature {
  enum Kinds : uint8_t { kPhrase = 1, kHiero = 2, kBoth = 3 };

  std::string_view name;
  Kinds kinds;                   // of search that have it
  double weight;                 // before tuning: Moses' starting point
  std::string_view description;  // of its value
};

}  // namespace demotic::features
