// The k best different yields: lazy k-best in which every node keeps one derivation a yield.
// A worse derivation with the same yield could only make worse derivations with the same yields
// further up, so nothing is lost, and far less is examined than by filtering at the root.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "demotic/base/flat_map.h"
#include "demotic/forest/kbest.h"
#include "demotic/forest/targets.h"

namespace demotic::forest {

// Which yields the nodes of a LazyKBest have so far. Yields are compared by a hash that is put
// together from those of the tails; where it agrees, symbol by symbol.
class DistinctYields {
 public:
  DistinctYields(const HypergraphView& graph, const TargetSides& targets);

  // Whether `choice` gives `node` a yield that it does not have yet; if so it is kept as that of
  // the node's next rank.
  bool admit(const LazyKBest& lists, int32_t node, const LazyKBest::Choice& choice);

 private:
  // Polynomial, modulo 2^64: that of xy is x.value * y.power + y.value.
  struct Hash {
    uint64_t value = 0, power = 1;
    void append(const Hash& next) noexcept {
      value = value * next.power + next.value;
      power *= next.power;
    }
  };
  struct Entry {
    int32_t node, rank, next;
  };

  Hash hash_of(const LazyKBest& lists, const LazyKBest::Choice& choice) const;

  HypergraphView graph_;
  TargetSides targets_;
  std::vector<std::vector<Hash>> hashes_;  // by node and rank
  FlatMap<uint64_t, int32_t> first_;       // of hash and node: index + 1 of the newest entry
  std::vector<Entry> entries_;
};

struct DistinctDerivations {
  Derivations derivations;
  int64_t examined;  // derivations of any node that were looked at
  bool complete;     // there are k, or no more exist; false: `max_examined` ended the search
};

DistinctDerivations distinct_kbest(const HypergraphView& graph, std::span<const double> scores,
                                   const TargetSides& targets, int32_t node, int64_t k,
                                   int64_t max_examined, const StopFlag& stop);

}  // namespace demotic::forest
