#include "demotic/align/diagonal.h"

#include <algorithm>
#include <cmath>

#include "demotic/base/clones.h"
#include "demotic/base/lanes.h"

namespace demotic::align {
namespace {

constexpr double kMinTension = 0.1, kMaxTension = 14;
constexpr Floats kFirstColumns = {0, 1, 2, 3, 4, 5, 6, 7};

// Where the diagonal crosses a row: a fraction `rest` of a column after column `left` (from 1).
struct Crossing {
  int32_t left;
  double rest;
};

Crossing crossing(int32_t r, int32_t rows, int32_t columns) {
  const int64_t place = int64_t{r + 1} * columns;
  return {static_cast<int32_t>(place / rows), static_cast<double>(place % rows) / rows};
}

}  // namespace

GeometricSeries::GeometricSeries(double tension, int32_t max_columns) : tension_(tension) {
  for (int32_t columns = 0; columns <= max_columns; ++columns) {
    const double ratio = columns > 0 ? std::exp(-tension / columns) : 0;
    double power = 1, sum = 0, weighted = 0;
    ratios_.push_back(ratio);
    for (int32_t k = 0; k <= columns; ++k, power *= ratio) {
      sums_.push_back(sum);
      weighted_.push_back(weighted);
      sum += power;
      weighted += k * power;
    }
  }
}

DiagonalPrior::DiagonalPrior(double tension, double null_probability, int32_t max_columns)
    : null_(null_probability), series_(tension, max_columns), middle_(size_t{1} + max_columns, 0) {
  for (int32_t columns = 1; columns <= max_columns; ++columns) {
    const int64_t middle = static_cast<int64_t>(mirrors_.size()) + columns;
    middle_[columns] = middle;
    mirrors_.resize(middle + padded(columns) + kLanes, 0);
    double power = 1;
    for (int32_t k = 0; k < columns; ++k, power *= series_.ratio(columns))
      mirrors_[middle + k] = mirrors_[middle - 1 - k] = static_cast<float>(power);
  }
  short_begin_.assign((kShort + 1) * (kShort + 1), 0);
  for (int32_t rows = 1; rows <= kShort; ++rows) {
    for (int32_t columns = 1; columns <= std::min(kShort, max_columns); ++columns) {
      short_begin_[rows * (kShort + 1) + columns] = static_cast<int32_t>(short_rows_.size());
      for (int32_t r = 0; r < rows; ++r) short_rows_.push_back(row(r, rows, columns));
    }
  }
}

DiagonalPrior::Row DiagonalPrior::row(int32_t r, int32_t rows, int32_t columns) const {
  const Crossing at = crossing(r, rows, columns);
  const double left = std::exp(-series_.tension() * at.rest / columns);
  const double right = series_.ratio(columns) / left;
  const double scale = (1 - null_) / (left * series_.sum(columns, at.left) +
                                      right * series_.sum(columns, columns - at.left));
  return {at.left, static_cast<float>(scale * left), static_cast<float>(scale * right),
          middle_[columns] - at.left};
}

const DiagonalPrior::Row* DiagonalPrior::rows_of(const Grid& grid,
                                                 std::vector<Row>& scratch) const {
  if (std::max(grid.rows, grid.columns) <= kShort)
    return &short_rows_[short_begin_[grid.rows * (kShort + 1) + grid.columns]];
  scratch.clear();
  for (int32_t r = 0; r < grid.rows; ++r) scratch.push_back(row(r, grid.rows, grid.columns));
  return scratch.data();
}

DEMOTIC_CLONES
double DiagonalPrior::posteriors(const Grid& grid, DiagonalStatistics& statistics) const {
  const auto null = static_cast<float>(null_);
  LogSum log_likelihood;
  double distance = 0, linked = 0;
  thread_local std::vector<Row> scratch;
  const Row* rows = rows_of(grid, scratch);
  for (int32_t r = 0; r < grid.rows; ++r) {
    const Row& prior = rows[r];
    const float* mirror = mirrors_.data() + prior.mirror;
    float* links = grid.row(r);
    const float place =
        static_cast<float>(int64_t{r + 1} * grid.columns) / static_cast<float>(grid.rows) - 1;
    Floats sums{}, distances{}, column = kFirstColumns;
    const auto crossing_at = static_cast<float>(prior.crossing);
    for (int32_t c = 0; c < grid.stride; c += kLanes, column += float{kLanes}) {
      const Floats side =
          choose(column < crossing_at, Floats{} + prior.left, Floats{} + prior.right);
      const Floats joint = lanes_at(links + c) * (side * lanes_at(mirror + c));
      const Floats away = column - place;
      lanes_at(links + c) = joint;
      sums += joint;
      distances += joint * choose(away < 0.0f, -away, away);
    }
    const float sum = sum_lanes(sums);
    const float total = sum + null * grid.empty[r];
    const float scale = 1 / total;
    for (int32_t c = 0; c < grid.stride; c += kLanes) lanes_at(links + c) *= scale;
    grid.empty[r] *= null * scale;
    linked += sum * scale;
    distance += sum_lanes(distances) * scale;
    log_likelihood.add(total);
  }
  statistics.links += linked;
  statistics.distance += distance / grid.columns;
  return log_likelihood.total();
}

double mean_distance(const GeometricSeries& series, int32_t r, int32_t rows, int32_t columns) {
  const Crossing at = crossing(r, rows, columns);
  const int32_t behind = columns - at.left;
  const double left = std::exp(-series.tension() * at.rest / columns);
  const double right = series.ratio(columns) / left;
  const double left_mass = left * series.sum(columns, at.left);
  const double right_mass = right * series.sum(columns, behind);
  const double steps =
      left * series.weighted_sum(columns, at.left) + right * series.weighted_sum(columns, behind);
  const double sum = left_mass * at.rest + right_mass * (1 - at.rest) + steps;
  return sum / (left_mass + right_mass) / columns;
}

double improve_tension(double tension, const DiagonalStatistics& statistics,
                       const std::vector<SizeCount>& sizes) {
  if (statistics.links <= 0) return tension;
  const double observed = statistics.distance / statistics.links;
  int32_t max_columns = 0;
  double rows = 0;
  for (const SizeCount& size : sizes) {
    max_columns = std::max(max_columns, size.columns);
    rows += static_cast<double>(size.rows * size.count);
  }
  for (int step = 0; step < 8; ++step) {
    const GeometricSeries series(tension, max_columns);
    double expected = 0;
    for (const SizeCount& size : sizes) {
      double sum = 0;
      for (int32_t r = 0; r < size.rows; ++r)
        sum += mean_distance(series, r, size.rows, size.columns);
      expected += sum * static_cast<double>(size.count);
    }
    tension = std::clamp(tension + 20 * (expected / rows - observed), kMinTension, kMaxTension);
  }
  return tension;
}

}  // namespace demotic::align
