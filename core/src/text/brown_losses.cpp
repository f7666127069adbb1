#include "brown_losses.h"

#include <utility>

namespace demotic::text {

void BrownLosses::scan(int32_t row) noexcept {
  const std::span<const int64_t> cells(cells_.data() + width_ * row, row);
  int64_t best = std::numeric_limits<int64_t>::max();
  for (const int64_t loss : cells) best = std::min(best, loss);
  int32_t at = -1;
  for (int32_t i = 0; i < row; ++i)
    if (cells[i] == best && (at < 0 || labels_[i] < labels_[at])) at = i;
  rows_[row] = {best, at, false};
}

BrownLosses::Pair BrownLosses::best(int32_t live) noexcept {
  Pair best{-1, -1, std::numeric_limits<int64_t>::max()};
  for (int32_t i = 1; i < live; ++i) {
    if (rows_[i].stale) scan(i);
    if (rows_[i].best > best.loss) continue;
    Pair pair{i, rows_[i].at, rows_[i].best};
    if (labels_[pair.gone] < labels_[pair.kept]) std::swap(pair.kept, pair.gone);
    const bool first = best.kept < 0 || pair.loss < best.loss;
    const auto order = [&](const Pair& p) { return std::pair(labels_[p.kept], labels_[p.gone]); };
    if (first || order(pair) < order(best)) best = pair;
  }
  return best;
}

}  // namespace demotic::text
