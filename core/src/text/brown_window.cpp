#include "brown_window.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace demotic::text {
namespace {

constexpr int64_t kTableSize = int64_t{1} << 18;  // larger counts are rare

}  // namespace

FixedLogs::FixedLogs(int64_t pairs) {
  const double all = static_cast<double>(std::max<int64_t>(pairs, 1));
  const double largest = all * std::log(all);
  scale_ = std::ldexp(1.0, std::min(40, 60 - std::ilogb(largest + 1) - 1));
  for (int64_t x = 0; x < std::min(pairs + 1, kTableSize); ++x) {
    logs_.push_back(slow_log(static_cast<uint32_t>(x)));
    gs_.push_back(times(static_cast<uint32_t>(x), logs_.back()));
  }
}

// Long double, because libraries differ in the last bit of a double's logarithm. 0 ln 0 is 0.
double FixedLogs::slow_log(uint32_t x) const noexcept {
  return x == 0 ? 0 : static_cast<double>(std::log(static_cast<long double>(x)) * scale_);
}

BrownWindow::BrownWindow(size_t slots, size_t words, const FixedLogs& logs, const StopFlag& stop)
    : width_(slots),
      logs_(logs),
      stop_(stop),
      labels_(slots),
      losses_(slots, labels_),
      parent_(words),
      slot_(words),
      change_(slots),
      fresh_(slots) {
  for (Side& side : sides_) {
    side.counts.resize(slots * slots);
    side.inside.resize(slots);
    side.total.resize(slots);
    side.log_total.resize(slots);
    side.log_sum.resize(slots * slots);
    side.inside_term.resize(slots);
  }
}

int32_t BrownWindow::label_of(int32_t rank) noexcept {
  while (parent_[rank] != rank) rank = parent_[rank] = parent_[parent_[rank]];
  return rank;
}

void BrownWindow::insert(int32_t rank, std::span<const int32_t> after,
                         std::span<const int32_t> before, std::array<uint32_t, 2> totals) {
  const int32_t slot = live_++;
  labels_[slot] = parent_[rank] = rank;
  slot_[rank] = slot;
  count_pairs(slot, after, before);
  for (int side = 0; side < 2; ++side) widen(side, slot);
  for (int side = 0; side < 2; ++side) {
    sides_[side].inside[slot] = std::accumulate(row(side, slot), row(side, slot) + live_, 0u);
    sides_[side].total[slot] = totals[side];
    refresh_totals(side, slot);
  }
  const std::span<int64_t> fresh(fresh_.data(), slot);
  std::ranges::fill(fresh, 0);
  for (int side = 0; side < 2; ++side)
    for (int32_t k = 0; k < live_; ++k)
      if (const uint32_t n = row(side, slot)[k]; n > 0) add_neighbours(side, k, 0, n, fresh);
  for (int32_t j = 0; j < slot; ++j) losses_.set(slot, j, fresh[j] + pair_term(slot, j));
  losses_.forget(slot);
}

void BrownWindow::count_pairs(int32_t slot, std::span<const int32_t> after,
                              std::span<const int32_t> before) {
  std::vector<uint32_t>& first = sides_[0].counts;
  std::vector<uint32_t>& second = sides_[1].counts;
  for (int32_t k = 0; k < live_; ++k) {
    first[width_ * slot + k] = first[width_ * k + slot] = 0;
    second[width_ * slot + k] = second[width_ * k + slot] = 0;
  }
  for (const int32_t rank : after) ++first[width_ * slot + slot_[label_of(rank)]];
  for (const int32_t rank : before) ++second[width_ * slot + slot_[label_of(rank)]];
  second[width_ * slot + slot] = first[width_ * slot + slot];
  for (int32_t k = 0; k < slot; ++k) {
    first[width_ * k + slot] = second[width_ * slot + k];
    second[width_ * k + slot] = first[width_ * slot + k];
  }
}

// The slots with touching[j] > 0, and of the others those with reached[j] > 0 (null: all).
void BrownWindow::split(const uint32_t* touching, const uint32_t* reached, int32_t skip,
                        int32_t skip_too) {
  touched_.clear();
  reached_.clear();
  for (int32_t j = 0; j < live_; ++j) {
    if (j == skip || j == skip_too) continue;
    if (touching[j] > 0) {
      touched_.push_back(j);
    } else if (reached == nullptr || reached[j] > 0) {
      reached_.push_back(j);
    }
  }
}

// Updates the losses of pairs of older classes for the new class in `slot`: their sums `inside`
// grow, and they may share it as a neighbour.
void BrownWindow::widen(int side, int32_t slot) {
  Side& here = sides_[side];
  const uint32_t* more = row(1 - side, slot);
  split(more, nullptr, slot, slot);
  for (const int32_t i : touched_)
    change_[i] =
        FixedLogs::times(here.inside[i] + more[i], here.log_total[i]) - here.inside_term[i];
  for (size_t n = 0; n < touched_.size(); ++n) {
    stop_.check();
    const int32_t i = touched_[n];
    const double* log_sum = here.log_sum.data() + width_ * i;
    const auto sum_term = [&](int32_t j, uint32_t extra) {
      const uint32_t sum = here.inside[i] + here.inside[j];
      return FixedLogs::times(sum + extra, log_sum[j]) - FixedLogs::times(sum, log_sum[j]);
    };
    for (const int32_t j : reached_) losses_.add(i, j, sum_term(j, more[i]) - change_[i]);
    for (size_t m = 0; m < n; ++m) {
      const int32_t j = touched_[m];
      const int64_t shared = logs_.g(more[i]) + logs_.g(more[j]) - logs_.g(more[i] + more[j]);
      losses_.add(i, j, sum_term(j, more[i] + more[j]) - change_[i] - change_[j] + shared);
    }
  }
  for (const int32_t i : touched_) {
    here.inside[i] += more[i];
    here.inside_term[i] += change_[i];
  }
}

// Recomputes what depends on `total` and `inside` of a slot.
void BrownWindow::refresh_totals(int side, int32_t slot) {
  Side& here = sides_[side];
  here.log_total[slot] = logs_.log(here.total[slot]);
  here.inside_term[slot] = FixedLogs::times(here.inside[slot], here.log_total[slot]);
  for (int32_t j = 0; j < live_; ++j) {
    const double log = logs_.log(here.total[slot] + here.total[j]);
    here.log_sum[width_ * slot + j] = here.log_sum[width_ * j + slot] = log;
  }
}

// losses[j] += h(to, n) - h(from, n) with n = the count of j with k: the change for a class whose
// count with k goes from `from` to `to`.
void BrownWindow::add_neighbours(int side, int32_t k, uint32_t from, uint32_t to,
                                 std::span<int64_t> losses) {
  stop_.check();
  const uint32_t* counts = row(1 - side, k);
  const int64_t change = logs_.g(to) - logs_.g(from);
  for (size_t j = 0; j < losses.size(); ++j)
    losses[j] += change + logs_.g(from + counts[j]) - logs_.g(to + counts[j]);
}

// The part of a pair's loss that the sums over all k lack or contain differently: the four counts
// among the two themselves, and the sums `inside`.
int64_t BrownWindow::pair_term(int32_t i, int32_t j) const noexcept {
  const uint32_t ii = count(i, i), ij = count(i, j), ji = count(j, i), jj = count(j, j);
  int64_t term = logs_.g(ii + ij) + logs_.g(ji + jj) + logs_.g(ii + ji) + logs_.g(ij + jj) -
                 logs_.g(ii) - logs_.g(ij) - logs_.g(ji) - logs_.g(jj) - logs_.g(ii + ij + ji + jj);
  for (const Side& side : sides_) {
    term += FixedLogs::times(side.inside[i] + side.inside[j], side.log_sum[width_ * i + j]) -
            side.inside_term[i] - side.inside_term[j];
  }
  return term;
}

BrownWindow::Merge BrownWindow::merge_best() {
  const BrownLosses::Pair pair = losses_.best(live_);
  const Merge result{labels_[pair.kept], labels_[pair.gone], logs_.to_nats(pair.loss)};
  parent_[result.gone] = result.kept;
  // Which slot is kept only affects the time.
  if (neighbours(pair.gone) <= neighbours(pair.kept)) {
    merge(pair.kept, pair.gone);
  } else {
    merge(pair.gone, pair.kept);
  }
  return result;
}

size_t BrownWindow::neighbours(int32_t slot) const noexcept {
  size_t found = 0;
  for (int side = 0; side < 2; ++side)
    for (int32_t k = 0; k < live_; ++k) found += row(side, slot)[k] > 0;
  return found;
}

void BrownWindow::merge(int32_t into, int32_t from) {
  const int32_t label = std::min(labels_[into], labels_[from]);
  for (int32_t j = 0; j < live_; ++j)
    if (j != into && j != from) fresh_[j] = losses_.get(into, j) - pair_term(into, j);
  for (int side = 0; side < 2; ++side) {
    merge_others(side, into, from);
    merge_row(side, into, from);
  }
  join_counts(into, from);

  const int32_t last = --live_;
  losses_.forget(from);
  if (from != last) move(last, from);
  if (into == last) into = from;
  labels_[into] = label;
  slot_[label] = into;
  for (int side = 0; side < 2; ++side) refresh_totals(side, into);
  for (int32_t j = 0; j < live_; ++j)
    if (j != into) losses_.set(into, j, fresh_[j] + pair_term(into, j));
}

// Pairs of other classes, which now have one neighbour instead of two.
void BrownWindow::merge_others(int side, int32_t into, int32_t from) {
  const uint32_t* x = row(1 - side, into);
  const uint32_t* y = row(1 - side, from);
  split(y, x, into, from);
  for (const int32_t i : touched_)
    change_[i] = logs_.g(x[i] + y[i]) - logs_.g(x[i]) - logs_.g(y[i]);
  for (size_t n = 0; n < touched_.size(); ++n) {
    stop_.check();
    const int32_t i = touched_[n];
    const uint32_t both = x[i] + y[i];
    const int64_t alone = change_[i] + logs_.g(y[i]);
    for (const int32_t j : reached_)
      losses_.add(i, j, alone + logs_.g(x[i] + x[j]) - logs_.g(both + x[j]));
    for (size_t m = 0; m < n; ++m) {
      const int32_t j = touched_[m];
      losses_.add(i, j,
                  change_[i] + change_[j] + logs_.g(x[i] + x[j]) + logs_.g(y[i] + y[j]) -
                      logs_.g(both + x[j] + y[j]));
    }
  }
}

// Pairs of the merged class with another class.
void BrownWindow::merge_row(int side, int32_t into, int32_t from) {
  const uint32_t* kept = row(side, into);
  const uint32_t* gone = row(side, from);
  const std::span<int64_t> fresh(fresh_.data(), live_);
  for (int32_t k = 0; k < live_; ++k)
    if (gone[k] > 0 && k != into && k != from)
      add_neighbours(side, k, kept[k], kept[k] + gone[k], fresh);

  const auto h = [&](uint32_t x, uint32_t y) { return logs_.g(x) + logs_.g(y) - logs_.g(x + y); };
  const uint32_t* x = row(1 - side, into);
  const uint32_t* y = row(1 - side, from);
  const uint32_t corner = kept[into] + kept[from] + gone[into] + gone[from];
  for (int32_t j = 0; j < live_; ++j)
    fresh[j] += h(corner, x[j] + y[j]) - h(kept[into], x[j]) - h(kept[from], y[j]);
}

void BrownWindow::join_counts(int32_t into, int32_t from) {
  const uint32_t corner =
      count(into, into) + count(into, from) + count(from, into) + count(from, from);
  for (int s = 0; s < 2; ++s) {
    Side& side = sides_[s];
    for (int32_t k = 0; k < live_; ++k) {
      if (k == into || k == from) continue;
      const uint32_t sum = side.counts[width_ * into + k] + side.counts[width_ * from + k];
      side.counts[width_ * into + k] = sides_[1 - s].counts[width_ * k + into] = sum;
    }
    side.inside[into] += side.inside[from];
    side.total[into] += side.total[from];
  }
  for (Side& side : sides_) side.counts[width_ * into + into] = corner;
}

// Moves the class of the last slot and its losses to the free slot `to`.
void BrownWindow::move(int32_t from, int32_t to) {
  for (Side& side : sides_) {
    for (int32_t k = 0; k < live_; ++k) {
      if (k == to) continue;
      side.counts[width_ * to + k] = side.counts[width_ * from + k];
      side.counts[width_ * k + to] = side.counts[width_ * k + from];
      side.log_sum[width_ * to + k] = side.log_sum[width_ * k + to] =
          side.log_sum[width_ * from + k];
    }
    side.counts[width_ * to + to] = side.counts[width_ * from + from];
    side.inside[to] = side.inside[from];
    side.total[to] = side.total[from];
    side.log_total[to] = side.log_total[from];
    side.inside_term[to] = side.inside_term[from];
  }
  labels_[to] = labels_[from];
  slot_[labels_[to]] = to;
  fresh_[to] = fresh_[from];
  for (int32_t j = 0; j < live_; ++j)
    if (j != to) losses_.set(to, j, losses_.get(from, j));
}

double BrownWindow::information(int64_t pairs) const {
  const double all = static_cast<double>(pairs);
  double sum = 0;
  for (int32_t i = 0; i < live_; ++i) {
    for (int32_t j = 0; j < live_; ++j) {
      if (count(i, j) == 0) continue;
      const double n = count(i, j);
      const double expected = static_cast<double>(sides_[0].total[i]) * sides_[1].total[j] / all;
      sum += n / all * std::log(n / expected);
    }
  }
  return sum;
}

}  // namespace demotic::text
