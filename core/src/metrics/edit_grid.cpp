#include "demotic/metrics/edit_grid.h"

#include <algorithm>
#include <cmath>

namespace demotic::metrics {

namespace {

constexpr int32_t kBandWidth = 25;
constexpr int32_t kFar = 1 << 29;  // outside the band

}  // namespace

void EditGrid::set(std::span<const WordId> reference, size_t words) {
  reference_ = reference;
  rows_ = words + 1;
  width_ = reference.size() + 1;
  const auto columns = static_cast<int32_t>(width_);
  const double ratio =
      words > 0 ? static_cast<double>(reference.size()) / static_cast<double>(words) : 1.0;
  const int32_t half =
      kBandWidth < ratio / 2 ? static_cast<int32_t>(std::ceil(ratio / 2 + kBandWidth)) : kBandWidth;
  bands_.assign(rows_, Band{0, columns});
  for (size_t i = 1; i < rows_; ++i) {
    const auto middle = static_cast<int32_t>(std::floor(static_cast<double>(i) * ratio));
    bands_[i].begin = std::max(0, middle - half);
    if (i != words) bands_[i].end = std::min(columns, middle + half);
  }
  place_rows();
  above_.resize(width_);
  here_.resize(width_);
}

// Each row has space for its band, for the column before it and what the band of the previous row
// has before that, and for the column after it and what the band of the next row has after that,
// because neighbouring rows read them. The first row is complete, so no offset is negative.
void EditGrid::place_rows() {
  places_.resize(rows_);
  cells_ = 0;
  for (size_t i = 0; i < rows_; ++i) {
    const int32_t above = i > 0 ? bands_[i - 1].begin : 0;
    const int32_t below = i + 1 < rows_ ? bands_[i + 1].end : 0;
    const int32_t begin = std::max(0, std::min(bands_[i].begin - 1, above));
    const int32_t end = std::min(static_cast<int32_t>(width_), std::max(bands_[i].end + 1, below));
    places_[i] = cells_ - begin;
    cells_ += end - begin;
  }
}

int32_t EditGrid::solve(std::span<const WordId> hypothesis) {
  solve_forward(hypothesis);
  solve_backward(hypothesis);
  return from_start(rows_ - 1)[width_ - 1];
}

void EditGrid::solve_forward(std::span<const WordId> hypothesis) {
  from_start_.assign(cells_, kFar);
  operations_.assign(cells_, kNone);
  for (size_t j = 0; j < width_; ++j) {
    from_start(0)[j] = static_cast<int32_t>(j);
    operations_[j] = kInsert;
  }
  for (size_t i = 1; i < rows_; ++i) {
    const int32_t* above = from_start(i - 1);
    int32_t* here = from_start(i);
    for (int32_t j = bands_[i].begin; j < bands_[i].end; ++j) {
      // Ties: keep or substitute, then delete, then insert.
      int32_t best = above[j] + 1;
      Operation operation = kDelete;
      if (j > 0) {
        const bool same = hypothesis[i - 1] == reference_[j - 1];
        if (const int32_t cost = above[j - 1] + !same; cost <= best) {
          best = cost;
          operation = same ? kKeep : kSubstitute;
        }
        if (const int32_t cost = here[j - 1] + 1; cost < best) {
          best = cost;
          operation = kInsert;
        }
      }
      here[j] = best;
      operations_[places_[i] + j] = operation;
    }
  }
}

void EditGrid::solve_backward(std::span<const WordId> hypothesis) {
  to_end_.assign(cells_, kFar);
  const auto last = static_cast<int32_t>(width_) - 1;
  for (size_t i = rows_; i-- > 0;) {
    int32_t* here = to_end(i);
    const int32_t* below = i + 1 < rows_ ? to_end(i + 1) : nullptr;
    for (int32_t j = bands_[i].end; j-- > bands_[i].begin;) {
      int32_t best = below == nullptr && j == last ? 0 : kFar;
      if (j < last) best = std::min(best, here[j + 1] + 1);
      if (below != nullptr) {
        best = std::min(best, below[j] + 1);
        if (j < last) best = std::min(best, below[j + 1] + (hypothesis[i] != reference_[j]));
      }
      here[j] = best;
    }
  }
}

// Computes the costs of a row from those above it; returns their minimum.
int32_t EditGrid::next_row(WordId word, size_t row, const int32_t* above,
                           int32_t* here) const noexcept {
  const Band band = bands_[row];
  int32_t j = band.begin;
  int32_t left = kFar, least = kFar;
  if (j == 0) {
    here[0] = left = least = above[0] + 1;
    ++j;
  } else {
    here[j - 1] = kFar;
  }
  for (; j < band.end; ++j) {
    const int32_t step = std::min(above[j - 1] + (word != reference_[j - 1]), above[j] + 1);
    left = std::min(step, left + 1);
    here[j] = left;
    least = std::min(least, left);
  }
  // The next row reads as far as its own band extends.
  if (row + 1 < rows_)
    std::fill(here + band.end, here + std::max(band.end, bands_[row + 1].end), kFar);
  return least;
}

int32_t EditGrid::distance(std::span<const WordId> hypothesis, size_t begin, size_t end,
                           int32_t enough) {
  const int32_t* above = from_start(begin);
  for (size_t i = begin + 1; i <= end; ++i) {
    const int32_t least = next_row(hypothesis[i - 1], i, above, here_.data());
    if (least > enough) return least;
    above_.swap(here_);
    above = above_.data();
  }
  const int32_t* rest = to_end(end);
  int32_t best = kFar;
  for (int32_t j = bands_[end].begin; j < bands_[end].end; ++j)
    best = std::min(best, above[j] + rest[j]);
  return best;
}

void EditGrid::align(EditAlignment& into) const {
  into.word.assign(width_ - 1, 0);
  into.wrong_in_ref.assign(width_ - 1, 0);
  into.wrong_in_hyp.assign(rows_ - 1, 0);
  for (size_t i = rows_ - 1, j = width_ - 1; i > 0 || j > 0;) {
    const Operation operation = operations_[places_[i] + j];
    const bool wrong = operation != kKeep;
    if (operation != kDelete) {
      into.word[j - 1] = static_cast<int32_t>(i) - 1;
      into.wrong_in_ref[--j] = wrong;
    }
    if (operation != kInsert) into.wrong_in_hyp[--i] = wrong;
  }
}

}  // namespace demotic::metrics
