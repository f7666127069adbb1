// Word translation probabilities by relative frequency over links, and lexical weights (Koehn et
// al. 2003): w(t|s) = links(s, t) / links(s), where an unaligned word counts as linked to NULL.
//
// The weight of a rule is the product over its target words of the mean of w(t|s) over the source
// words linked to t, or w(t|NULL) if there are none. Gaps are ignored.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "demotic/base/flat_map.h"
#include "demotic/base/stop.h"
#include "demotic/rules/aligned_bitext.h"
#include "demotic/rules/occurrence.h"

namespace demotic::rules {

inline constexpr WordId kNull = kUnknown;  // no text contains it, see CorpusBuilder

// Calls visit(source word, target word) for every link of a bitext, and for every unaligned word
// with kNull in place of the other one. Throws Interrupted.
template <typename Visit>
void for_each_linked_pair(const AlignedBitext& bitext, const StopFlag& stop, Visit&& visit) {
  std::vector<uint8_t> source_linked, target_linked;
  for (int64_t i = 0; i < bitext.rows(); ++i) {
    if (i % 1024 == 0) stop.check();
    const int64_t pair = bitext.pair_of(i);
    const auto source = bitext.source[pair], target = bitext.target[pair];
    source_linked.assign(source.size(), 0);
    target_linked.assign(target.size(), 0);
    for (const Link link : bitext.links_of(i)) {
      visit(source[link.source], target[link.target]);
      source_linked[link.source] = target_linked[link.target] = 1;
    }
    for (size_t k = 0; k < source.size(); ++k)
      if (!source_linked[k]) visit(source[k], kNull);
    for (size_t k = 0; k < target.size(); ++k)
      if (!target_linked[k]) visit(kNull, target[k]);
  }
}

struct LexicalWeights {
  double target_given_source = 1, source_given_target = 1;
};

class LexicalTable {
 public:
  // `missing` is the probability of a pair that was never linked: 0 for counted tables. Moses uses
  // 1, which makes no difference for a complete table.
  explicit LexicalTable(double missing = 0) : missing_(missing) {}

  // Both directions in one pass.
  static LexicalTable count(const AlignedBitext& bitext, const StopFlag& stop);

  // Sets w in one direction, for tables from other sources.
  void set_target_given_source(WordId source, WordId target, double w);
  void set_source_given_target(WordId source, WordId target, double w);

  double target_given_source(WordId source, WordId target) const noexcept;
  double source_given_target(WordId source, WordId target) const noexcept;

  // Prefetches what `weigh` is going to read.
  void prefetch(const Rule& rule) const noexcept;
  // Both lexical weights of a rule; links of gaps are ignored.
  LexicalWeights weigh(const Rule& rule) const;

  // Calls visit(source, target, w(t|s), w(s|t)) for every linked pair, in no particular order.
  template <typename Visit>
  void for_each(Visit&& visit) const {
    pairs_.for_each([&](uint64_t key, const Entry& entry) {
      visit(static_cast<WordId>(key >> 32), static_cast<WordId>(key), entry.target_given_source,
            entry.source_given_target);
    });
  }

 private:
  struct Entry {
    double target_given_source, source_given_target;
  };
  static uint64_t key(WordId source, WordId target) noexcept {
    return static_cast<uint64_t>(static_cast<uint32_t>(source)) << 32 |
           static_cast<uint32_t>(target);
  }

  Entry& entry(WordId source, WordId target);

  double missing_;
  FlatMap<uint64_t, Entry> pairs_;
};

}  // namespace demotic::rules
