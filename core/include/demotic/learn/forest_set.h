// The forests of a tuning set as learners' loops want them: all of them at once, with a counter
// that makes metric statistics of what a derivation says.
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

// A view. Words are ids of the references; those that no reference has may be any others >= 0.
struct ForestView {
  HypergraphView graph;
  TargetSides targets;
  FeatureRows features;
  int64_t sentence = 0;
};

// counter(sentence, yields, rows) fills a row of statistics per yield, one after the other. One per
// thread.
using RowCounter = std::function<void(int64_t, const CsrView<int32_t>&, std::span<int32_t>)>;

struct ForestSet {
  std::span<const ForestView> forests;
  std::function<RowCounter()> make_counter;
  int32_t statistics = 0;  // numbers in a row
  int32_t features = 0;    // ids are below it

  int64_t size() const noexcept { return static_cast<int64_t>(forests.size()); }
};

// One row a derivation of a forest.
std::vector<int32_t> derivation_rows(const ForestView& forest, const CsrView<int32_t>& derivations,
                                     const RowCounter& counter, int32_t statistics);

// Sums the statistics of every forest's best derivation under the weights; a forest without
// derivations adds nothing. The same for any number of threads.
std::vector<double> best_statistics(const ForestSet& set, std::span<const double> weights,
                                    ThreadPool& pool, const StopFlag& stop);
// The same by scores of the edges of every forest.
std::vector<double> best_statistics(const ForestSet& set,
                                    std::span<const std::vector<double>> scores, ThreadPool& pool,
                                    const StopFlag& stop);

}  // namespace demotic::learn
