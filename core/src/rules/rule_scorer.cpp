#include "rule_scorer.h"

#include <algorithm>
#include <cmath>

namespace demotic::rules {
namespace {

constexpr int32_t kFew =
    32;  // up to this many occurrences scores are tabulated; most rules have one

// A finite logarithm: an unseen event is unlikely, not impossible.
float safe_log(double p) { return static_cast<float>(std::log(std::max(p, 1e-40))); }

int reordering_sides(const ExtractOptions& options) {
  return options.kind == RuleKind::kHiero ? 0 : static_cast<int>(options.reordering);
}

}  // namespace

std::vector<std::string> score_names(const ExtractOptions& options) {
  std::vector<std::string> names = {"source_given_target", "lexical_source_given_target",
                                    "target_given_source", "lexical_target_given_source"};
  const bool hierarchical = options.orientation == OrientationModel::kHierarchical;
  const std::string family = hierarchical ? "reordering_hierarchical_" : "reordering_";
  const std::array<std::string, 2> sides = {"backward", "forward"};
  for (int side = 0; side < reordering_sides(options); ++side)
    for (const char* name : {"monotone", "swap", "discontinuous"})
      names.push_back(family + sides[side] + "_" + name);
  names.insert(names.end(), options.extra_scores.begin(), options.extra_scores.end());
  return names;
}

RuleScorer::RuleScorer(const LexicalTable& lexicon, const ExtractOptions& options,
                       const RuleSmoothing& smoothing)
    : lexicon_(lexicon),
      rule_smoothing_(smoothing),
      sides_(reordering_sides(options)),
      smoothing_(options.reordering_smoothing) {
  reordering_scores_.resize(kFew * kFew);
  for (int32_t occurrences = 0; occurrences < kFew; ++occurrences)
    for (int32_t count = 0; count <= occurrences; ++count)
      reordering_scores_[occurrences * kFew + count] = reordering_score(count, occurrences);
  for (const std::string& name : options.extra_scores) extra_.push_back(extra_score(name));
}

std::span<const float> RuleScorer::score(const Rule& rule, const CountedRule& counted,
                                         const SideCounts& source, const SideCounts& target) {
  const LexicalWeights lexical = lexicon_.weigh(rule);
  const double count = counted.count;
  double source_given_target = count / target.total, target_given_source = count / source.total;
  if (rule_smoothing_.used()) {
    source_given_target = rule_smoothing_.probability(counted, target, source.rules);
    target_given_source = rule_smoothing_.probability(counted, source, target.rules);
  }
  scores_ = {safe_log(source_given_target), safe_log(lexical.source_given_target),
             safe_log(target_given_source), safe_log(lexical.target_given_source)};
  add_reordering(counted);
  const RuleFacts facts{rule, counted.occurrences, count, source.total, target.total};
  for (const ExtraScore extra : extra_) scores_.push_back(extra(facts));
  return scores_;
}

void RuleScorer::add_reordering(const CountedRule& counted) {
  const int32_t all = counted.extractions;
  for (int side = 0; side < sides_; ++side) {
    const int32_t monotone = counted.orientations.count(2 * side, all);
    const int32_t swap = counted.orientations.count(2 * side + 1, all);
    for (const int32_t count : {monotone, swap, all - monotone - swap})
      scores_.push_back(all < kFew ? reordering_scores_[all * kFew + count]
                                   : reordering_score(count, all));
  }
}

float RuleScorer::reordering_score(int32_t count, int32_t occurrences) const noexcept {
  return safe_log((count + smoothing_) / (occurrences + 3 * smoothing_));
}

}  // namespace demotic::rules
