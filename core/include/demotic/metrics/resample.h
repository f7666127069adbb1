// Sums of statistics over resampled corpora, for confidence intervals and significance tests.
// Sample t of a seed draws the same sentences whatever the statistics, so two systems sampled with
// one seed are paired. The random numbers are the same on every machine.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "demotic/base/stop.h"

namespace demotic::metrics {

// Rows of `columns` numbers by sentence; `runs` rows per sentence.
struct StatisticsView {
  std::span<const int64_t> values;
  int64_t columns = 1;
  int64_t runs = 1;

  int64_t sentences() const noexcept {
    return static_cast<int64_t>(values.size()) / (columns * runs);
  }
};

// Koehn 2004: `samples` rows, each the sum over a bootstrap sample of the sentences (all runs of a
// sentence together). Throws std::invalid_argument if the shape is wrong or there is no sentence.
std::vector<int64_t> bootstrap_sums(const StatisticsView& statistics, int64_t samples,
                                    uint64_t seed, int threads, const StopFlag& stop);

// Approximate randomisation (Noreen 1989), stratified by sentence as in Clark et al. 2011: of the
// runs of each sentence, which belong to two systems, `picked` are drawn for the first. `samples`
// rows, each the sum for the first system; the second has the rest of the total. Throws as above.
std::vector<int64_t> shuffle_sums(const StatisticsView& statistics, int64_t picked, int64_t samples,
                                  uint64_t seed, int threads, const StopFlag& stop);

}  // namespace demotic::metrics
