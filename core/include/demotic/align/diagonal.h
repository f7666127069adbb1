// The log-linear reparameterisation of Model 2 by Dyer, Chahuneau and Smith (2013): links near the
// diagonal are more likely,
//     p(column c | row r) = (1 - null) exp(-tension |r / rows - c / columns|) / Z,
// with positions counted from 1. The distances from the diagonal grow by 1 / columns from column to
// column, so that a row consists of two geometric series: their powers come from a table, and a row
// costs one exponential.
#pragma once

#include <vector>

#include "demotic/align/grid.h"

namespace demotic::align {

struct DiagonalStatistics {
  double distance = 0;  // expected sum of |r / rows - c / columns| over the links
  double links = 0;     // expected number of links
};

// The sums of the first n terms of the series q^k and k q^k with q = exp(-tension / columns), for
// all numbers of columns.
class GeometricSeries {
 public:
  GeometricSeries(double tension, int32_t max_columns);

  double tension() const noexcept { return tension_; }
  double ratio(int32_t columns) const noexcept { return ratios_[columns]; }
  double sum(int32_t columns, int32_t n) const noexcept { return sums_[begin(columns) + n]; }
  double weighted_sum(int32_t columns, int32_t n) const noexcept {
    return weighted_[begin(columns) + n];
  }

 private:
  // There are n + 1 sums for n columns.
  static int64_t begin(int32_t columns) noexcept { return int64_t{columns} * (columns + 1) / 2; }

  double tension_;
  std::vector<double> ratios_, sums_, weighted_;
};

// The mean of |r / rows - c / columns| in row r (from 0), given that the row is linked.
double mean_distance(const GeometricSeries& series, int32_t r, int32_t rows, int32_t columns);

class DiagonalPrior {
 public:
  DiagonalPrior(double tension, double null_probability, int32_t max_columns);

  // Returns the log-likelihood; adds to `statistics`.
  double posteriors(const Grid& grid, DiagonalStatistics& statistics) const;

 private:
  // Factors of a row's probabilities: those left of the diagonal are left * mirrors_[mirror + c],
  // the others right * mirrors_[mirror + c].
  struct Row {
    int32_t crossing;
    float left, right;
    int64_t mirror;
  };
  Row row(int32_t r, int32_t rows, int32_t columns) const;
  // The rows of a grid: from a table for short sentences, otherwise computed into `scratch`.
  const Row* rows_of(const Grid& grid, std::vector<Row>& scratch) const;

  static constexpr int32_t kShort = 24;  // words; their rows fit a core's private cache

  double null_;
  GeometricSeries series_;
  // For each number of columns the powers of its ratio in both directions: ... q^1 q^0 | q^0 q^1
  // ...; `middle_` is the position of the bar.
  std::vector<float> mirrors_;
  std::vector<int64_t> middle_;
  std::vector<Row> short_rows_;       // all rows of each size
  std::vector<int32_t> short_begin_;  // [rows * (kShort + 1) + columns]
};

// The number of sentence pairs of each size.
struct SizeCount {
  int32_t rows, columns;
  int64_t count;
};

// Takes a few gradient steps towards the tension whose mean distance is the observed one.
double improve_tension(double tension, const DiagonalStatistics& statistics,
                       const std::vector<SizeCount>& sizes);

}  // namespace demotic::align
