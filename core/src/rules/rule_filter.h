// Which rules are kept after counting: those that are frequent enough, with sides that meet more
// often than by chance. If asked for, one-word rules are always kept, and rules with one source
// word whatever their significance: without them words that occur once would be unknown.
#pragma once

#include <cmath>
#include <memory>
#include <vector>

#include "demotic/rules/extract_rules.h"
#include "demotic/rules/significance.h"
#include "rule_counter.h"

namespace demotic::rules {

// Whether the rule is kept by its counts alone, which are sums over `sets` of links. A rule with
// gaps has a low count if it was only extracted from long initial phrases, whose count of 1 many
// rules share: what it translates is mostly translated by other rules, too.
inline bool frequent_enough(const CountedRule& rule, const ExtractOptions& options,
                            size_t sets) noexcept {
  const RulePlace& place = rule.place;
  if (options.keep_word_pairs && place.source_size == 1 && place.target_size == 1) return true;
  if (place.gap_count > 0 &&
      rule.count < options.hiero.min_gapped_count * static_cast<double>(sets))
    return false;
  return rule.occurrences >= options.min_count;
}

class RuleFilter {
 public:
  // `bitext` must outlive it. Indexes the text if significance is asked for.
  RuleFilter(const AlignedBitext& bitext, const ExtractOptions& options, int workers,
             const StopFlag& stop)
      : options_(options), sets_(bitext.links.size()) {
    if (std::isinf(options.significance)) return;
    test_ = std::make_unique<FisherTest>(bitext.size());
    source_ = std::make_unique<SentenceIndex>(bitext.source, stop);
    target_ = std::make_unique<SentenceIndex>(bitext.target, stop);
    const double threshold = std::log(static_cast<double>(bitext.size())) + options.significance;
    filters_.assign(workers,
                    {*test_, threshold, RuleCoOccurrence(bitext.size(), *source_, *target_)});
  }

  // `bitext` is what the rule's place refers to. Thread-safe for different workers.
  bool keeps(const CountedRule& rule, const PackedBitext& bitext, int worker) {
    if (!frequent_enough(rule, options_, sets_)) return false;
    if (!test_ || (options_.keep_word_pairs && rule.place.source_size == 1)) return true;
    return filters_[worker].keeps(bitext.pair_of(rule.place.sentence), rule.place);
  }

 private:
  const ExtractOptions& options_;
  size_t sets_;  // of links
  std::unique_ptr<FisherTest> test_;
  std::unique_ptr<SentenceIndex> source_, target_;
  std::vector<SignificanceFilter> filters_;
};

}  // namespace demotic::rules
