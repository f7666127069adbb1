// The target sides of counted rules, which come by rising key: their totals, and their places in
// the store.
#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <vector>

#include "demotic/base/csr.h"
#include "prefetch.h"
#include "rule_smoothing.h"

namespace demotic::rules {

class TargetCounter {
 public:
  // The references must outlive it.
  TargetCounter(const PackedBitext& bitext, RuleSmoothing& smoothing)
      : bitext_(bitext), smoothing_(smoothing) {}

  // For each row, which has the rules of one target side: calls write(symbols, total), which
  // returns its place, unless all rules are removed; then emit(rules, place or none, counts).
  template <typename Write, typename Emit>
  void add(const CsrView<CountedRule>& targets, Write&& write, Emit&& emit) {
    const auto place = [&](size_t i) -> const RulePlace& { return targets[i].front().place; };
    PrefetchAhead ahead(
        targets.size(), [&](size_t i) { bitext_.prefetch(place(i).sentence); },
        [&](size_t i) { prefetch_words(bitext_, place(i)); });
    for (size_t i = 0; i < targets.size(); ++i) {
      ahead.move_to(i);
      const auto group = targets[i];
      const SideCounts counts = smoothing_.counts(group);
      smoothing_.add(group);
      std::optional<uint32_t> written;
      if (!std::ranges::all_of(group, &CountedRule::removed))
        written = write(target_symbols(bitext_, group[0].place, buffer_),
                        static_cast<float>(counts.total));
      emit(group, written, counts);
    }
  }

 private:
  const PackedBitext& bitext_;
  RuleSmoothing& smoothing_;
  std::vector<Symbol> buffer_;
};

}  // namespace demotic::rules
