#include "source_scorer.h"

#include <functional>

namespace demotic::rules {

SourceScorer::SourceScorer(const AlignedBitext& bitext, const PackedBitext& packed,
                           const RuleScorer& scorer, const RuleSmoothing& smoothing,
                           const SortSpace& space, ThreadPool& pool, SortedRules& rules)
    : bitext_(packed),
      smoothing_(smoothing),
      by_source_order_{&packed, SourceOrder(bitext.source)},
      by_source_(space.memory, space.folder, by_source_order_, space.blocks),
      targets_(smoothing.used()),
      scored_writer_(packed, targets_, scorer, pool, rules) {}

void SourceScorer::add(std::span<const CountedRule> group, std::optional<uint32_t> place,
                       const SideCounts& counts) {
  const uint32_t target = place ? targets_.add(*place, counts) : CountedRule::kRemoved;
  for (CountedRule rule : group) {
    if (!rule.removed()) rule.target = target;
    by_source_.add(rule);
  }
  counted_ += static_cast<int64_t>(group.size());
}

void SourceScorer::finish(const StopFlag& stop, Progress& progress, ExtractReport& report) {
  ProgressPhase phase(progress, counted_, bitext_.size());
  std::vector<CountedRule> group;
  by_source_.drain(stop, [&](const CountedRule& rule) {
    if (!group.empty() && !by_source_order_.same(group.front(), rule)) {
      score_source(group, stop, report);
      group.clear();
    }
    group.push_back(rule);
    phase.step();
  });
  if (!group.empty()) score_source(group, stop, report);
  scored_writer_.finish(stop);
  phase.finish();
}

void SourceScorer::score_source(std::vector<CountedRule>& group, const StopFlag& stop,
                                ExtractReport& report) {
  const SideCounts counts = smoothing_.counts(group);
  report.rules += static_cast<int64_t>(group.size());
  report.removed += static_cast<int64_t>(std::erase_if(group, std::mem_fn(&CountedRule::removed)));
  scored_writer_.add(group, counts, stop);
}

}  // namespace demotic::rules
