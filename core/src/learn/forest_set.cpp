#include "demotic/learn/forest_set.h"

#include <utility>

#include "demotic/base/flat_map.h"
#include "demotic/forest/viterbi.h"
#include "demotic/forest/yields.h"

namespace demotic::learn {
namespace {

// Appends one row with the dense and the sparse features of an edge.
void add_edge_features(const ForestView& forest, int32_t edge, FeatureTable& rows) {
  const auto [begin, end] =
      std::pair(forest.features.ids.offsets[edge], forest.features.ids.offsets[edge + 1]);
  for (int64_t i = begin; i < end; ++i) {
    rows.ids.values.push_back(forest.features.ids.values[i]);
    rows.values.push_back(forest.features.values[i]);
  }
  for (const int32_t part : forest.edge_parts[edge])
    forest.visit_part(part, [&](int32_t id, double value) {
      rows.ids.values.push_back(id);
      rows.values.push_back(value);
    });
  rows.ids.end_row();
}

}  // namespace

std::vector<double> edge_scores(const ForestView& forest, std::span<const double> weights) {
  std::vector<double> scores = row_scores(forest.features, weights);
  if (forest.edge_parts.offsets.empty()) return scores;
  std::vector<double> sums(forest.part_features.size(), 0.0);
  for (size_t part = 0; part < sums.size(); ++part)
    forest.visit_part(static_cast<int32_t>(part),
                      [&](int32_t id, double value) { sums[part] += weights[id] * value; });
  for (size_t edge = 0; edge < scores.size(); ++edge)
    for (const int32_t part : forest.edge_parts[edge]) scores[edge] += sums[part];
  return scores;
}

FeatureTable derivation_features(const ForestView& forest, const CsrView<int32_t>& derivations) {
  if (forest.edge_parts.offsets.empty()) return sum_rows(derivations, forest.features);
  FeatureTable rows;  // of the edges in use
  FlatMap<int32_t, int32_t> known;
  std::vector<int32_t> used;
  for (const int32_t edge : derivations.values) {
    const auto [row, fresh] = known.insert(edge);
    if (fresh) {
      row = static_cast<int32_t>(rows.ids.size());
      add_edge_features(forest, edge, rows);
    }
    used.push_back(row);
  }
  return sum_rows({derivations.offsets, used}, {rows.ids.view(), rows.values});
}

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
                [&](int64_t i, int) { scores[i] = edge_scores(set.forests[i], weights); });
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
