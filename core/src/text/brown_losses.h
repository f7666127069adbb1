// The loss of every possible merge in a window of Brown clustering, and the smallest of them. A
// triangle of cells; each row knows its smallest cell, so that finding the best pair scans the
// rows, not all cells.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "demotic/namespaces.h"

namespace demotic::text {

class BrownLosses {
 public:
  struct Pair {
    int32_t kept;  // the slot with the lower label
    int32_t gone;
    int64_t loss;
  };

  // `labels` orders classes for ties and belongs to the caller; one per slot.
  BrownLosses(size_t slots, const std::vector<int32_t>& labels)
      : width_(slots), labels_(labels), cells_(slots * slots), rows_(slots) {}

  int64_t get(int32_t i, int32_t j) const noexcept { return cells_[cell(i, j)]; }
  void add(int32_t i, int32_t j, int64_t delta) noexcept { set(i, j, get(i, j) + delta); }

  // Updates the row's smallest cell, or marks the row if that needs a scan.
  void set(int32_t i, int32_t j, int64_t loss) noexcept {
    const int32_t low = std::min(i, j);
    Row& row = rows_[std::max(i, j)];
    cells_[cell(i, j)] = loss;
    if (loss < row.best || (loss == row.best && labels_[low] < labels_[row.at])) {
      row.best = loss;
      row.at = low;
    } else if (row.at == low && loss > row.best) {
      row.stale = true;
    }
  }

  // The class in `slot` was replaced or removed: its cells are invalid.
  void forget(int32_t slot) noexcept {
    rows_[slot].stale = true;
    for (size_t row = slot + 1; row < width_; ++row) rows_[row].stale |= rows_[row].at == slot;
  }

  // The pair of smallest loss among the first `live` slots, at least two; ties by labels.
  Pair best(int32_t live) noexcept;

 private:
  struct Row {
    int64_t best = std::numeric_limits<int64_t>::max();
    int32_t at = 0;
    bool stale = false;
  };

  size_t cell(int32_t i, int32_t j) const noexcept {
    return width_ * std::max(i, j) + std::min(i, j);
  }
  void scan(int32_t row) noexcept;

  size_t width_;
  const std::vector<int32_t>& labels_;
  std::vector<int64_t> cells_;  // only below the diagonal
  std::vector<Row> rows_;
};

}  // namespace demotic::text
