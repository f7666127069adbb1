// Counts rules from occurrences, in bounded memory: the sorts of extract_rules.h.
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

// The first symbols of a source side as two numbers, which are ordered like the symbols. As many
// symbols as fit for the vocabulary: up to six with two million words.
class SourceOrder {
 public:
  using Key = std::array<uint64_t, 2>;

  explicit SourceOrder(const Corpus& source);
  explicit SourceOrder(WordId last_word);
  Key operator()(std::span<const Symbol> symbols) const noexcept;
  // Whether these are certainly all symbols, so that nothing has to be fetched to compare them.
  bool is_all(const Key& key) const noexcept { return (key[1] & last_) == 0; }

 private:
  int bits_, per_number_;  // bits per symbol; symbols per number
  uint64_t last_;          // mask of the last symbol
};

// A rule with its counts; `place` is an occurrence with its most frequent alignment.
struct CountedRule {
  SourceOrder::Key source_order;
  RulePlace place;
  float count;          // as it is stored, so that totals can be summed
  uint32_t target;      // the key of the target side; after counting its index, or kRemoved
  int32_t occurrences;  // positions in the text
  int32_t extractions;  // the same, each counted once per set of links
  OrientationCounts orientations;

  static constexpr uint32_t kRemoved = UINT32_MAX;  // as `target`
  bool removed() const noexcept { return target == kRemoved; }
};
static_assert(sizeof(CountedRule) == 64, "one line of the cache");

// Rules of a target side are adjacent, and occurrences of a rule are in the order of the bitext.
struct ByRule {
  uint64_t key(const Occurrence& o) const noexcept { return o.key; }
};

// By source symbols; within a source side by falling count, then by offset of the target side.
struct BySource {
  const PackedBitext* bitext;
  SourceOrder order;

  uint64_t key(const CountedRule& c) const noexcept { return c.source_order[0]; }
  bool less(const CountedRule& a, const CountedRule& b) const;
  bool same(const CountedRule& a, const CountedRule& b) const;
};

using OccurrenceSorter = ExternalSorter<Occurrence, ByRule>;
using SourceSorter = ExternalSorter<CountedRule, BySource>;

// The rules of `occurrences`, which are sorted by key and complete; one row per target side. If
// different rules have the same key, occurrences are reordered.
Csr<CountedRule> count_rules(const PackedBitext& bitext, std::span<Occurrence> occurrences,
                             const SourceOrder& order);

}  // namespace demotic::rules
