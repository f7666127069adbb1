// Counts the rules of occurrences: sorts them, so that those of a rule and of a target side are
// adjacent, and counts them with several threads.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "demotic/base/thread_pool.h"
#include "pending_occurrences.h"
#include "rule_counter.h"
#include "rule_filter.h"

namespace demotic::rules {

// Where records are sorted: bytes of memory, a folder for the rest, and blocks that one sort can
// leave to the next.
struct SortSpace {
  int64_t memory;
  std::string folder;
  std::shared_ptr<BlockPool> blocks = std::make_shared<BlockPool>();

  // Half of what the options allow besides the packed bitext, which takes up to half of it: there
  // are two sorts.
  SortSpace(const ExtractOptions& options, const PackedBitext& bitext, std::string scratch);
};

class OccurrenceCounter {
 public:
  // Gets the rules of consecutive target sides, one row each.
  using Visit = std::function<void(Csr<CountedRule>&&)>;

  // The references must outlive it.
  OccurrenceCounter(const AlignedBitext& bitext, const PackedBitext& packed, RuleFilter& filter,
                    const SortSpace& space, ThreadPool& pool);

  // In the order of the bitext.
  void add(const Occurrence& occurrence) { occurrences_.add(occurrence); }
  // Must be called before another thread continues to add.
  void publish_writes() const noexcept { occurrences_.publish_writes(); }

  // Visits the rules of all target sides by rising key; those that are removed are marked. Calls
  // step() once per occurrence. Empty afterwards.
  template <typename Step>
  void drain(const StopFlag& stop, Step&& step, const Visit& visit) {
    occurrences_.drain(stop, [&](const Occurrence& occurrence) {
      if (pending_.full(occurrence)) count_pending(stop, visit);
      pending_.add(occurrence);
      step();
    });
    count_pending(stop, visit);
  }

 private:
  void count_pending(const StopFlag& stop, const Visit& visit);

  const PackedBitext& bitext_;
  ThreadPool& pool_;
  SourceOrder order_;
  OccurrenceSorter occurrences_;
  RuleFilter& filter_;
  PendingOccurrences pending_;
};

}  // namespace demotic::rules
