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

// Translations given by the user: the number of the option among those of its sentence, and of its
// target words.
inline constexpr uint32_t kMaxGivenOptions = uint32_t{1} << 16, kMaxGivenWords = 255;
inline constexpr RuleId kFirstGiven = UINT32_MAX - 4;
static_assert(kFirstGiven - (kMaxGivenOptions << 8) + 1 > kMaxRules);

constexpr RuleId given_rule(uint32_t number, uint32_t words) noexcept {
  return kFirstGiven - (number << 8 | words);
}
constexpr bool is_given(RuleId rule) noexcept {
  return rule <= kFirstGiven && rule > kFirstGiven - (kMaxGivenOptions << 8);
}
constexpr uint32_t given_number(RuleId rule) noexcept { return (kFirstGiven - rule) >> 8; }
constexpr int32_t given_words(RuleId rule) noexcept {
  return static_cast<int32_t>((kFirstGiven - rule) & 0xff);
}

// Whether it is a rule of the rule store.
constexpr bool is_stored(RuleId rule) noexcept { return rule <= kMaxRules; }
// The rule for sparse features, which know nothing of the other steps: kNoRule for them.
constexpr RuleId stored_rule(RuleId rule) noexcept { return is_stored(rule) ? rule : kNoRule; }

constexpr bool is_copy(RuleId rule) noexcept {
  return rule == kUnknownCopied || rule == kKnownCopied;
}
constexpr bool is_glue(RuleId rule) noexcept { return rule == kGlueFirst || rule == kGlueNext; }

struct RuleStep {
  RuleId rule;           // or one of the constants above
  int32_t target_words;  // without gaps
  bool copy_is_phrase;   // setting unknown_phrase_penalty: copies count as phrases
  double given = 0;      // log probability of a translation given by the user
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
