// The first sort of extract_rules.h: collects occurrences, in memory or on disk, and counts the
// rules of one target side after the other.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "demotic/base/thread_pool.h"
#include "pending_occurrences.h"
#include "rule_counter.h"

namespace demotic::rules {

inline std::string folder_of(const std::string& path) {
  return std::filesystem::absolute(path).parent_path().string();
}

class OccurrenceCounter {
 public:
  // `bitext` must outlive it; scratch files are in `folder`.
  OccurrenceCounter(const PackedBitext& bitext, const SourceOrder& order, int64_t memory,
                    const std::string& folder, const std::shared_ptr<BlockPool>& blocks)
      : bitext_(bitext), order_(order), sorter_(memory, folder, {}, blocks) {}

  int64_t size() const noexcept { return size_; }
  void add(const Occurrence& occurrence) {
    ++size_;
    sorter_.add(occurrence);
  }
  // Must be called before another thread continues to use it.
  void publish_writes() const noexcept { sorter_.publish_writes(); }

  // Calls mark(rule, worker) for every rule, by several threads; then visit(Csr<CountedRule>) for
  // pieces of the rules in order, with a row per target side; and step() per occurrence.
  template <typename Mark, typename Visit, typename Step>
  void drain(ThreadPool& pool, const StopFlag& stop, Mark&& mark, Visit&& visit, Step&& step) {
    PendingOccurrences pending;
    const auto process_pending = [&] {
      pool.map_reduce(
          pending.pieces(), stop,
          [&](int64_t i, int worker) {
            auto rules = count_rules(bitext_, pending.piece(i), order_);
            for (CountedRule& rule : rules.values) mark(rule, worker);
            return rules;
          },
          [&](int64_t, const Csr<CountedRule>& targets) { visit(targets); });
      pending.clear();
    };
    sorter_.drain(stop, [&](const Occurrence& occurrence) {
      if (pending.full(occurrence)) process_pending();
      pending.add(occurrence);
      step();
    });
    process_pending();
  }

 private:
  const PackedBitext& bitext_;
  SourceOrder order_;
  OccurrenceSorter sorter_;
  int64_t size_ = 0;
};

}  // namespace demotic::rules
