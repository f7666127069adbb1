// Scores counted rules whose target sides are known: sorts them by source side, adds up the totals
// of source sides, scores and collects the rules in the order of the trie.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "occurrence_counter.h"
#include "progress_phase.h"
#include "scored_writer.h"

namespace demotic::rules {

class SourceScorer {
 public:
  // The references must outlive it; `smoothing` is finished before `finish` is called.
  SourceScorer(const AlignedBitext& bitext, const PackedBitext& packed, const RuleScorer& scorer,
               const RuleSmoothing& smoothing, const SortSpace& space, ThreadPool& pool,
               SortedRules& rules);

  // Rules of one target side, in the order of target sides; `place` is there unless all are
  // removed.
  void add(std::span<const CountedRule> group, std::optional<uint32_t> place,
           const SideCounts& counts);
  // Must be called before another thread continues to add.
  void publish_writes() const noexcept { by_source_.publish_writes(); }
  // Fills in the numbers of rules.
  void finish(const StopFlag& stop, Progress& progress, ExtractReport& report);

 private:
  void score_source(std::vector<CountedRule>& group, const StopFlag& stop, ExtractReport& report);

  const PackedBitext& bitext_;
  const RuleSmoothing& smoothing_;
  BySource by_source_order_;
  SourceSorter by_source_;
  CountedTargets targets_;
  ScoredWriter scored_writer_;
  int64_t counted_ = 0;  // rules, including those that will be removed
};

}  // namespace demotic::rules
