#include "demotic/learn/forest_mert.h"

#include <algorithm>

#include "climb.h"

namespace demotic::learn {
namespace {

// The value of a feature in a row. Ids ascend, so feature f is at position f or before it; if most
// edges have most features, it is close to f.
double value_of(const FeatureRows& rows, size_t row, int32_t feature) {
  const int64_t begin = rows.ids.offsets[row], end = rows.ids.offsets[row + 1];
  for (int64_t i = std::min(begin + feature, end - 1); i >= begin; --i)
    if (rows.ids.values[i] <= feature) return rows.ids.values[i] == feature ? rows.values[i] : 0;
  return 0;
}

void fill_column(const FeatureRows& rows, int32_t feature, std::vector<double>& out) {
  out.resize(rows.size());
  for (size_t row = 0; row < rows.size(); ++row) out[row] = value_of(rows, row, feature);
}

}  // namespace

ForestSpace::ForestSpace(const ForestSet& set, MetricForm form, ThreadPool& pool,
                         const StopFlag& stop)
    : set_(set),
      form_(form),
      pool_(pool),
      stop_(stop),
      scores_(set.size()),
      found_(set.size()),
      sweep_(form, set.statistics) {
  for (int t = 0; t < pool.threads(); ++t) workers_.push_back({set.make_counter(), {}, {}});
}

void ForestSpace::rescore(std::span<const double> weights) {
  pool_.for_each(set_.size(), stop_, [&](int64_t i, int) {
    scores_[i] = row_scores(set_.forests[i].features, weights);
  });
}

void ForestSpace::move(int32_t feature, double step) {
  pool_.for_each(set_.size(), stop_, [&](int64_t i, int) {
    const FeatureRows& rows = set_.forests[i].features;
    for (size_t edge = 0; edge < rows.size(); ++edge)
      scores_[i][edge] += step * value_of(rows, edge, feature);
  });
}

LinePoint ForestSpace::along_feature(int32_t feature, const StopFlag& stop) {
  return search(
      [&](const FeatureRows& rows, std::vector<double>& out) { fill_column(rows, feature, out); },
      stop);
}

LinePoint ForestSpace::along(std::span<const double> direction, const StopFlag& stop) {
  return search(
      [&](const FeatureRows& rows, std::vector<double>& out) { out = row_scores(rows, direction); },
      stop);
}

template <typename Slopes>
LinePoint ForestSpace::search(Slopes&& slopes, const StopFlag& stop) {
  pool_.for_each(set_.size(), stop, [&](int64_t i, int thread) {
    const ForestView& forest = set_.forests[i];
    Worker& worker = workers_[thread];
    slopes(forest.features, worker.slopes);
    const Envelope& lines = worker.envelope(forest.graph, scores_[i], worker.slopes, stop);
    found_[i].rows =
        derivation_rows(forest, lines.derivations.view(), worker.counter, set_.statistics);
    found_[i].left.assign(lines.left.begin(), lines.left.end());
  });
  return sweep();
}

// Adds the forests in order, whichever thread finished first.
LinePoint ForestSpace::sweep() {
  sweep_.begin();
  for (const Segments& found : found_) {
    segments_ += static_cast<int64_t>(found.left.size());
    if (found.left.empty()) continue;
    const int32_t* row = found.rows.data();
    sweep_.add_first(row, 1);
    for (size_t s = 1; s < found.left.size(); ++s, row += set_.statistics)
      if (!std::equal(row, row + set_.statistics, row + set_.statistics))
        sweep_.add_break(found.left[s], row, row + set_.statistics, 1);
  }
  return sweep_.best();
}

MertResult forest_mert(const ForestSet& set, MetricForm form, std::span<const double> weights,
                       const MertOptions& options, ThreadPool& pool, const StopFlag& stop) {
  ForestSpace space(set, form, pool, stop);
  MertResult result;
  for (int64_t start = 0; start <= options.restarts; ++start)
    add_optimum(result, climb(space, weights, start, options, stop));
  return result;
}

}  // namespace demotic::learn
