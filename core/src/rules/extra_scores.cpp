#include "extra_scores.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>
#include <string>
#include <utility>

namespace demotic::rules {
namespace {

float log_count(double count) { return static_cast<float>(std::log1p(count)); }

// Shared counts do not add up exactly.
float at_most_once(double count) { return count <= 1 + 1e-6 ? 1.0f : 0.0f; }

template <int kGaps>
float has_gaps(const RuleFacts& facts) {
  return std::ranges::count_if(facts.rule.source, is_gap) == kGaps ? 1.0f : 0.0f;
}

template <int kTimes>
float occurs(const RuleFacts& facts) {
  return facts.occurrences == kTimes ? 1.0f : 0.0f;
}

constexpr std::array<std::pair<std::string_view, ExtraScore>, 11> kScores{{
    {"rule_count", [](const RuleFacts& facts) { return log_count(facts.count); }},
    {"source_count", [](const RuleFacts& facts) { return log_count(facts.source_total); }},
    {"target_count", [](const RuleFacts& facts) { return log_count(facts.target_total); }},
    {"rule_once", occurs<1>},
    {"rule_twice", occurs<2>},
    {"rule_thrice", occurs<3>},
    {"source_once", [](const RuleFacts& facts) { return at_most_once(facts.source_total); }},
    {"target_once", [](const RuleFacts& facts) { return at_most_once(facts.target_total); }},
    {"no_gaps", has_gaps<0>},
    {"one_gap", has_gaps<1>},
    {"two_gaps", has_gaps<2>},
}};

}  // namespace

ExtraScore extra_score(std::string_view name) {
  for (const auto& [known, score] : kScores)
    if (known == name) return score;
  throw std::invalid_argument("unknown rule score " + std::string(name));
}

}  // namespace demotic::rules
