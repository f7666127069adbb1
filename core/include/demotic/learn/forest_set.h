// The forests of a tuning set, and how to count the metric statistics of their yields.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "demotic/base/stop.h"
#include "demotic/base/thread_pool.h"
#include "demotic/forest/features.h"
#include "demotic/forest/hypergraph.h"
#include "demotic/forest/targets.h"

namespace demotic::learn {

// A view of one forest. Words are ids of the vocabulary of the references; words that occur in no
// reference may have any other id >= 0.
struct ForestView {
  HypergraphView graph;
  TargetSides targets;
  FeatureRows features;
  int64_t sentence = 0;
  // Sparse features: the parts of each edge, and the features of each part with their values; no
  // values if all are 1. Empty without sparse features.
  CsrView<int32_t> edge_parts;
  CsrView<int32_t> part_features;
  std::span<const double> part_values;

  // Calls visit(feature, value) for every feature of a part.
  template <typename Visit>
  void visit_part(int32_t part, Visit&& visit) const {
    for (int64_t i = part_features.offsets[part]; i < part_features.offsets[part + 1]; ++i)
      visit(part_features.values[i], part_values.empty() ? 1.0 : part_values[i]);
  }
};

// weights . features of each edge.
std::vector<double> edge_scores(const ForestView& forest, std::span<const double> weights);
// The features of each derivation, dense and sparse, with ascending ids.
FeatureTable derivation_features(const ForestView& forest, const CsrView<int32_t>& derivations);

// counter(sentence, yields, rows) writes one row of statistics per yield. Use one counter per
// thread.
using RowCounter = std::function<void(int64_t, const CsrView<int32_t>&, std::span<int32_t>)>;

struct ForestSet {
  std::span<const ForestView> forests;
  std::function<RowCounter()> make_counter;
  int32_t statistics = 0;  // columns per row of statistics
  int32_t features = 0;    // number of features; all ids are less than this

  int64_t size() const noexcept { return static_cast<int64_t>(forests.size()); }
};

// Returns one row of statistics per derivation.
std::vector<int32_t> derivation_rows(const ForestView& forest, const CsrView<int32_t>& derivations,
                                     const RowCounter& counter, int32_t statistics);

// Sums the statistics of the best derivation of each forest under the weights. A forest without
// derivations contributes nothing. The result does not depend on the number of threads.
std::vector<double> best_statistics(const ForestSet& set, std::span<const double> weights,
                                    ThreadPool& pool, const StopFlag& stop);
// The same, given one score per edge of each forest.
std::vector<double> best_statistics(const ForestSet& set,
                                    std::span<const std::vector<double>> scores, ThreadPool& pool,
                                    const StopFlag& stop);

}  // namespace demotic::learn
