#include "occurrence_counter.h"

namespace demotic::rules {

SortSpace::SortSpace(const ExtractOptions& options, const PackedBitext& bitext, std::string scratch)
    : memory(std::max(options.memory - bitext.bytes(), options.memory / 2) / 2),
      folder(std::move(scratch)) {}

OccurrenceCounter::OccurrenceCounter(const AlignedBitext& bitext, const PackedBitext& packed,
                                     RuleFilter& filter, const SortSpace& space, ThreadPool& pool)
    : bitext_(packed),
      pool_(pool),
      order_(bitext.source),
      occurrences_(space.memory, space.folder, {}, space.blocks),
      filter_(filter) {}

void OccurrenceCounter::count_pending(const StopFlag& stop, const Visit& visit) {
  pool_.map_reduce(
      pending_.pieces(), stop,
      [&](int64_t i, int worker) {
        auto rules = count_rules(bitext_, pending_.piece(i), order_);
        // Any key, even that of a removed rule, may be a hash; it is not needed any more.
        for (CountedRule& rule : rules.values)
          rule.target = filter_.keeps(rule, bitext_, worker) ? 0 : CountedRule::kRemoved;
        return rules;
      },
      [&](int64_t, Csr<CountedRule>&& targets) { visit(std::move(targets)); });
  pending_.clear();
}

}  // namespace demotic::rules
