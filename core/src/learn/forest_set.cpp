#include "demotic/learn/forest_set.h"

#include "demotic/forest/viterbi.h"
#include "demotic/forest/yields.h"

namespace demotic::learn {

std::vector<int32_t> derivation_rows(const ForestView& forest, const CsrView<int32_t>& derivations,
                                     const RowCounter& counter, int32_t statistics) {
  const Csr<int32_t> words = yields(forest.graph, derivations, forest.targets);
  std::vector<int32_t> rows(words.size() * statistics);
  counter(forest.sentence, words.view(), rows);
  return rows;
}

std::vector<double> best_statistics(const ForestSet& set, std::span<const double> weights,
                                    ThreadPool& pool, const StopFlag& stop) {
  std::vector<std::vector<double>> scores(set.size());
  pool.for_each(set.size(), stop,
                [&](int64_t i, int) { scores[i] = row_scores(set.forests[i].features, weights); });
  return best_statistics(set, scores, pool, stop);
}

std::vector<double> best_statistics(const ForestSet& set,
                                    std::span<const std::vector<double>> scores, ThreadPool& pool,
                                    const StopFlag& stop) {
  std::vector<RowCounter> counters;
  for (int t = 0; t < pool.threads(); ++t) counters.push_back(set.make_counter());
  std::vector<std::vector<int32_t>> rows(set.size());
  pool.for_each(set.size(), stop, [&](int64_t i, int thread) {
    const ForestView& forest = set.forests[i];
    const auto best = viterbi(forest.graph, scores[i]);
    Csr<int32_t> derivation;
    derivation.values = best_derivation(forest.graph, best, forest.graph.root());
    if (derivation.values.empty()) return;
    derivation.end_row();
    rows[i] = derivation_rows(forest, derivation.view(), counters[thread], set.statistics);
  });
  std::vector<double> sums(set.statistics);
  for (const std::vector<int32_t>& row : rows)
    for (size_t k = 0; k < row.size(); ++k) sums[k] += row[k];
  return sums;
}

}  // namespace demotic::learn
