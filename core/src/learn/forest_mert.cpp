#include "demotic/learn/forest_mert.h"

#include <utility>

#include "climb.h"
#include "demotic/forest/envelope.h"

namespace demotic {
namespace {

// Of a feature in every row; ids ascend.
std::vector<double> column(const FeatureRows& rows, int32_t feature) {
  std::vector<double> values(rows.size());
  for (size_t row = 0; row < rows.size(); ++row)
    for (int64_t i = rows.ids.offsets[row]; i < rows.ids.offsets[row + 1]; ++i) {
      if (rows.ids.values[i] < feature) continue;
      if (rows.ids.values[i] == feature) values[row] = rows.values[i];
      break;
    }
  return values;
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
  for (int t = 0; t < pool.threads(); ++t) counters_.push_back(set.make_counter());
}

void ForestSpace::rescore(std::span<const double> weights) {
  pool_.for_each(set_.size(), stop_, [&](int64_t i, int) {
    scores_[i] = row_scores(set_.forests[i].features, weights);
  });
}

void ForestSpace::move(int32_t feature, double step) {
  pool_.for_each(set_.size(), stop_, [&](int64_t i, int) {
    const std::vector<double> values = column(set_.forests[i].features, feature);
    for (size_t edge = 0; edge < values.size(); ++edge) scores_[i][edge] += step * values[edge];
  });
}

LinePoint ForestSpace::along_feature(int32_t feature, const StopFlag& stop) {
  return search([&](const ForestView& forest) { return column(forest.features, feature); }, stop);
}

LinePoint ForestSpace::along(std::span<const double> direction, const StopFlag& stop) {
  return search([&](const ForestView& forest) { return row_scores(forest.features, direction); },
                stop);
}

template <typename Slopes>
LinePoint ForestSpace::search(Slopes&& slopes, const StopFlag& stop) {
  pool_.for_each(set_.size(), stop, [&](int64_t i, int thread) {
    const ForestView& forest = set_.forests[i];
    Envelope lines = envelope(forest.graph, scores_[i], slopes(forest), stop);
    found_[i].rows =
        derivation_rows(forest, lines.derivations.view(), counters_[thread], set_.statistics);
    found_[i].left = std::move(lines.left);
  });
  return sweep();
}

// In the order of the forests, whichever was ready first.
LinePoint ForestSpace::sweep() {
  sweep_.begin();
  for (const Segments& found : found_) {
    segments_ += static_cast<int64_t>(found.left.size());
    if (found.left.empty()) continue;
    const int32_t* row = found.rows.data();
    sweep_.add_first(row, 1);
    for (size_t s = 1; s < found.left.size(); ++s, row += set_.statistics)
      sweep_.add_break(found.left[s], row, row + set_.statistics, 1);
  }
  return sweep_.best();
}

MertResult forest_mert(const ForestSet& set, MetricForm form, std::span<const double> weights,
                       const MertOptions& options, ThreadPool& pool, const StopFlag& stop) {
  ForestSpace space(set, form, pool, stop);
  MertResult result;
  for (int64_t start = 0; start <= options.restarts; ++start)
    add_summit(result, climb(space, weights, start, options, stop));
  return result;
}

}  // namespace demotic
