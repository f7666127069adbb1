// A forest in which every edge knows the n-grams that it adds to a yield, for decisions by expected
// gain (Tromble et al. 2008; Kumar et al. 2009; DeNero et al. 2009).
//
// The nodes of a forest are split by the boundary words that n-grams across edges can reach: up to
// three at either end, none at an end where nothing can follow. Derivations are the same; each edge
// is repeated for every combination of its tails' boundary words. Then the n-grams of a derivation
// are those of its edges, and passes over the hypergraph compute expected counts and the derivation
// with the best linear gain exactly.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "demotic/base/csr.h"
#include "demotic/base/flat_map.h"
#include "demotic/base/stop.h"
#include "demotic/forest/hypergraph.h"
#include "demotic/forest/targets.h"

namespace demotic::forest {

// The distinct n-grams of a forest of 1 to kOrder words, numbered from 1; 0 is the empty one.
class NgramTable {
 public:
  static constexpr int32_t kOrder = 4;

  NgramTable() : words_{0} {}
  // The number of an n-gram extended by a word; 0 from `find` if there is none.
  int32_t add(int32_t prefix, int32_t word);
  int32_t find(int32_t prefix, int32_t word) const noexcept {
    const int32_t* known = extended_.find(key(prefix, word));
    return known == nullptr ? 0 : *known;
  }
  int32_t size() const noexcept { return static_cast<int32_t>(words_.size()); }  // with the empty
  int32_t words(int32_t ngram) const noexcept { return words_[ngram]; }

 private:
  static uint64_t key(int32_t prefix, int32_t word) noexcept {
    return static_cast<uint64_t>(prefix) << 32 | static_cast<uint32_t>(word);
  }

  FlatMap<uint64_t, int32_t> extended_;
  std::vector<uint8_t> words_;
};

// Immutable; safe to share.
class NgramForest {
 public:
  // The root has no derivation if that of `graph` has none. `complete()` is false if there would be
  // more than `max_edges` edges; then it must not be used.
  NgramForest(const HypergraphView& graph, const TargetSides& targets, int64_t max_edges,
              const StopFlag& stop);

  // The same for the best part of a forest: at most `density` edges per edge of the best derivation
  // under `scores`, fewer if there would be more than `max_edges`.
  static NgramForest pruned(const HypergraphView& graph, const TargetSides& targets,
                            std::span<const double> scores, double density, int64_t max_edges,
                            const StopFlag& stop);

  bool complete() const noexcept { return complete_; }
  HypergraphView graph() const noexcept { return graph_; }
  // The edge of the original forest behind every edge.
  std::span<const int32_t> edges() const noexcept { return edges_; }
  const NgramTable& table() const noexcept { return table_; }

  // Expected number of occurrences of every n-gram under p(d) proportional to exp(score), by
  // number; that of the empty n-gram is the expected number of words. `scores` are those of the
  // original edges.
  std::vector<double> expected_counts(std::span<const double> scores) const;

  // The value of every edge if a derivation is worth the sum of `values` of its n-grams, by number;
  // that of the empty one counts once per word.
  std::vector<double> edge_values(std::span<const double> values) const;

 private:
  friend class NgramSplitter;

  Hypergraph graph_;
  std::vector<int32_t> edges_;
  std::vector<int32_t> words_;  // own words of every edge
  Csr<int32_t> ngrams_;         // numbers of the n-grams that every edge adds
  NgramTable table_;
  bool complete_ = true;
};

}  // namespace demotic::forest
