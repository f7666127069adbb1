// Occurrences to counted rules, in bounded memory: the three sorts of extract_rules.h.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <functional>
#include <string>
#include <tuple>
#include <vector>

#include "demotic/base/external_sort.h"
#include "demotic/rules/occurrence.h"

namespace demotic {

// A rule with its counts; `place` is an occurrence with its most frequent alignment.
struct CountedRule {
  Occurrence place;
  uint64_t order;  // what the current sort goes by first
  double count;
  float target_total;
  uint32_t target;  // id of the target side, once known
  int32_t occurrences;
  std::array<float, 6> orientations;  // previous m s d, next m s d
};

struct ByRule {
  bool operator()(const Occurrence& a, const Occurrence& b) const noexcept {
    return std::tie(a.key, a.sentence, a.source_begin, a.target_begin, a.source_size,
                    a.target_size) < std::tie(b.key, b.sentence, b.source_begin, b.target_begin,
                                              b.source_size, b.target_size);
  }
};

// Occurrences of one rule may tie in all but their gaps only if they have the same words; then
// which comes first changes nothing but the representative, so gaps take part for rules with them.
struct ByRuleAndGaps {
  bool operator()(const Occurrence& a, const Occurrence& b) const noexcept {
    if (ByRule{}(a, b)) return true;
    if (ByRule{}(b, a)) return false;
    const auto gaps = [](const Occurrence& o) {
      std::array<uint8_t, 8> bytes;
      std::memcpy(bytes.data(), o.gaps.data(), 8);
      return bytes;
    };
    return gaps(a) < gaps(b);
  }
};

struct ByOrder {
  bool operator()(const CountedRule& a, const CountedRule& b) const noexcept {
    return std::tie(a.order, a.place.key, a.place.sentence, a.place.source_begin) <
           std::tie(b.order, b.place.key, b.place.sentence, b.place.source_begin);
  }
};

// By source symbols; within a source side by falling count, then by target symbols.
struct BySource {
  const AlignedBitext* bitext;
  bool operator()(const CountedRule& a, const CountedRule& b) const;
};

// The first two source symbols, such that numbers compare as the symbols do.
uint64_t source_order(const Rule& rule) noexcept;

using OccurrenceSorter = ExternalSorter<Occurrence, ByRuleAndGaps>;
using TargetSorter = ExternalSorter<CountedRule, ByOrder>;
using SourceSorter = ExternalSorter<CountedRule, BySource>;

// Drains `sorter` and calls emit(rule) for every different rule, in no useful order.
void count_rules(const AlignedBitext& bitext, OccurrenceSorter& sorter, const StopFlag& stop,
                 const std::function<void(const CountedRule&)>& emit);

// Cuts a sorted stream into groups of records that `same` as the group's first: records with equal
// hashes follow each other, but equal hashes may hide different rules, which are then separated.
template <typename T, typename Hash, typename Same, typename Emit>
class Grouper {
 public:
  Grouper(Hash hash, Same same, Emit emit)
      : hash_(std::move(hash)), same_(std::move(same)), emit_(std::move(emit)) {}

  void add(const T& record) {
    if (!group_.empty() && hash_(record) != hash_(group_.front())) flush();
    group_.push_back(record);
  }

  void flush() {
    while (!group_.empty()) {
      const auto others =
          std::stable_partition(group_.begin() + 1, group_.end(),
                                [&](const T& record) { return same_(group_.front(), record); });
      emit_(std::span<T>(group_.begin(), others));
      group_.erase(group_.begin(), others);
    }
  }

 private:
  Hash hash_;
  Same same_;
  Emit emit_;
  std::vector<T> group_;
};

}  // namespace demotic
