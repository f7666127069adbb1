// Occurrences to counted rules, in bounded memory: the sorts of extract_rules.h.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "demotic/base/csr.h"
#include "demotic/base/external_sort.h"
#include "demotic/rules/occurrence.h"
#include "demotic/rules/orientation_counts.h"

namespace demotic::rules {

// The first symbols of a source side as two numbers, which compare as the symbols do. As many
// symbols as the vocabulary lets fit: up to six of two million words.
class SourceOrder {
 public:
  using Key = std::array<uint64_t, 2>;

  explicit SourceOrder(const Corpus& source);
  Key operator()(std::span<const Symbol> symbols) const noexcept;
  // Whether these are surely all symbols, so that nothing has to be fetched to compare them.
  bool is_all(const Key& key) const noexcept { return (key[1] & last_) == 0; }

 private:
  int bits_, per_number_;  // of a symbol; symbols
  uint64_t last_;          // the bits of the last symbol
};

// A rule with its counts; `place` is an occurrence with its most frequent alignment.
struct CountedRule {
  SourceOrder::Key source_order;
  RulePlace place;
  float count;  // as it is stored, so that totals can be summed
  float target_total;
  uint32_t target;  // the target side's key; where it is written, once it is
  int32_t occurrences;
  OrientationCounts orientations;
};
static_assert(sizeof(CountedRule) == 64, "one line of the cache");

// Rules of a target side follow each other, and occurrences of a rule in the order of the bitext.
struct ByRule {
  uint64_t key(const Occurrence& o) const noexcept { return o.key; }
};

// By source symbols; within a source side by falling count, then by place of the target side.
struct BySource {
  const PackedBitext* bitext;
  SourceOrder order;

  uint64_t key(const CountedRule& c) const noexcept { return c.source_order[0]; }
  bool less(const CountedRule& a, const CountedRule& b) const;
  bool same(const CountedRule& a, const CountedRule& b) const;
};

using OccurrenceSorter = ExternalSorter<Occurrence, ByRule>;
using SourceSorter = ExternalSorter<CountedRule, BySource>;

// The rules of which `occurrences`, sorted by key, hold all; a row for each target side. Where
// different rules have one key, occurrences change places.
Csr<CountedRule> count_rules(const PackedBitext& bitext, std::span<Occurrence> occurrences,
                             const SourceOrder& order);

}  // namespace demotic::rules
