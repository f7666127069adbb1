// Occurrences to counted rules, in bounded memory: the three sorts of extract_rules.h.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "demotic/base/external_sort.h"
#include "demotic/rules/occurrence.h"

namespace demotic {

// A rule with its counts; `place` is an occurrence with its most frequent alignment.
struct CountedRule {
  Occurrence place;
  uint64_t target_hash;
  std::array<uint64_t, 2>
      source_order;  // the first four source symbols; numbers compare as they do
  double count;
  float target_total;
  uint32_t target;  // id of the target side, once known
  int32_t occurrences;
  std::array<int32_t, 4> orientations;  // previous monotone, swap; next monotone, swap
};

// Occurrences of a rule follow each other in the order of the bitext.
struct ByRule {
  uint64_t key(const Occurrence& o) const noexcept { return o.key; }
  bool less(const Occurrence&, const Occurrence&) const noexcept { return false; }
};

struct ByTarget {
  uint64_t key(const CountedRule& c) const noexcept { return c.target_hash; }
  bool less(const CountedRule&, const CountedRule&) const noexcept { return false; }
};

// By source symbols; within a source side by falling count, then by target side.
struct BySource {
  const AlignedBitext* bitext;

  uint64_t key(const CountedRule& c) const noexcept { return c.source_order[0]; }
  bool less(const CountedRule& a, const CountedRule& b) const;
};

using OccurrenceSorter = ExternalSorter<Occurrence, ByRule>;
using TargetSorter = ExternalSorter<CountedRule, ByTarget>;
using SourceSorter = ExternalSorter<CountedRule, BySource>;

std::array<uint64_t, 2> source_order(std::span<const Symbol> source) noexcept;

bool same_source(const AlignedBitext& bitext, const CountedRule& a, const CountedRule& b);
bool same_target(const AlignedBitext& bitext, const Occurrence& a, const Occurrence& b);
bool same_rule(const AlignedBitext& bitext, const Occurrence& a, const Occurrence& b);

// The rule of which `group` holds all occurrences.
CountedRule counted(const AlignedBitext& bitext, std::span<const Occurrence> group);

// Cuts a sorted stream into groups. Records with equal hashes follow each other, but equal hashes
// may hide different things, which `same` then separates.
template <typename T>
class Grouper {
 public:
  template <typename Hash, typename Same, typename Emit>
  void add(const T& record, Hash&& hash, Same&& same, Emit&& emit) {
    if (!group_.empty() && hash(record) != hash(group_.front())) flush(same, emit);
    group_.push_back(record);
  }

  template <typename Same, typename Emit>
  void flush(Same&& same, Emit&& emit) {
    while (!group_.empty()) {
      const auto is_same = [&](const T& record) { return same(group_.front(), record); };
      auto others = std::find_if_not(group_.begin() + 1, group_.end(), is_same);
      if (others != group_.end()) others = std::stable_partition(others, group_.end(), is_same);
      emit(std::span<T>(group_.begin(), others));
      group_.erase(group_.begin(), others);
    }
  }

 private:
  std::vector<T> group_;
};

}  // namespace demotic
