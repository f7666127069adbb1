// The k best distinct yields: lazy k-best in which every node keeps one derivation per yield. A
// worse derivation with the same yield could only lead to worse derivations with the same yields
// further up, so nothing is lost, and far fewer are examined than by filtering at the root.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "demotic/base/flat_map.h"
#include "demotic/forest/kbest.h"
#include "demotic/forest/targets.h"

namespace demotic::forest {

// The yields found so far at the nodes of a LazyKBest. Yields are compared by a hash that is
// composed from those of the tails; if it agrees, symbol by symbol.
class DistinctYields {
 public:
  DistinctYields(const HypergraphView& graph, const TargetSides& targets);

  // Whether `choice` gives `node` a new yield; if so, it is stored as that of the node's next rank.
  bool admit(const LazyKBest& lists, int32_t node, const LazyKBest::Choice& choice);

 private:
  // Polynomial hash modulo 2^64: the hash of xy is x.value * y.power + y.value.
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
  FlatMap<uint64_t, int32_t> first_;       // by hash and node: index + 1 of the newest entry
  std::vector<Entry> entries_;
};

struct DistinctDerivations {
  Derivations derivations;
  int64_t examined;  // derivations examined, over all nodes
  bool complete;     // there are k, or no more exist; false if `max_examined` ended the search
};

DistinctDerivations distinct_kbest(const HypergraphView& graph, std::span<const double> scores,
                                   const TargetSides& targets, int32_t node, int64_t k,
                                   int64_t max_examined, const StopFlag& stop);

}  // namespace demotic::forest
