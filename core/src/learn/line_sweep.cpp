#include "demotic/learn/line_sweep.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "demotic/base/portable.h"
#include "lanes.h"

namespace demotic::learn {
namespace {

constexpr size_t kMaxPrefetched = 64;     // rows or breakpoints whose statistics are prefetched
constexpr size_t kAhead = 8;              // prefetch distance in the sweep, in breakpoints
constexpr size_t kRowsPerCall = 1 << 14;  // interval sums scored per call

void prefetch(const int32_t* values, size_t count) {
  prefetch_line(values);
  prefetch_line(values + count - 1);
}

// Maps doubles to integers of the same order.
uint64_t key_of(double value) {
  const auto bits = std::bit_cast<uint64_t>(value);
  return bits >> 63 != 0 ? ~bits : bits | uint64_t{1} << 63;
}

bool wide(double left, double right) {
  if (left == -kInfinity || right == kInfinity) return true;
  return right - left > kNarrow * (1 + std::min(std::abs(left), std::abs(right)));
}

// The point to use in an interval.
double inside(double left, double right) {
  if (left == -kInfinity) return right == kInfinity ? 0 : right - kBeyond;
  return right == kInfinity ? left + kBeyond : left + (right - left) / 2;
}

// Distance from 0 to the interval; 0 if the interval contains it.
double distance(double left, double right) { return std::max({0.0, left, -right}); }

}  // namespace

void LineSweep::begin() {
  prefetched_rows_.clear();
  prefetched_breaks_.clear();
  breaks_.clear();
  changes_.clear();
  std::fill(sums_.begin(), sums_.end(), 0.0);
}

// The statistics are scattered in memory: prefetch them now, read them a few calls later.
void LineSweep::add_first(const int32_t* row, double weight) {
  prefetch(row, sums_.size());
  prefetched_rows_.push_back({row, weight});
  if (prefetched_rows_.size() >= kMaxPrefetched) add_prefetched_rows();
}

void LineSweep::add_prefetched_rows() {
  for (const auto& [row, weight] : prefetched_rows_) add(row, weight);
  prefetched_rows_.clear();
}

void LineSweep::add_break(double at, const int32_t* before, const int32_t* after, double weight) {
  prefetch(before, sums_.size());
  prefetch(after, sums_.size());
  prefetched_breaks_.push_back({{at, weight}, before, after});
  if (prefetched_breaks_.size() >= kMaxPrefetched) add_prefetched_breaks();
}

void LineSweep::add_prefetched_breaks() {
  const size_t size = sums_.size(), old = changes_.size();
  changes_.resize(old + prefetched_breaks_.size() * size);
  int32_t* change = changes_.data() + old;
  for (const auto& [place, before, after] : prefetched_breaks_) {
    breaks_.push_back(place);
    for (size_t k = 0; k < size; ++k) change[k] = after[k] - before[k];
    change += size;
  }
  prefetched_breaks_.clear();
}

void LineSweep::add(const int32_t* row, double factor) {
  constexpr size_t kBleu = 9;  // unrolled: this is the inner loop of the sweep
  double* sums = sums_.data();
  if (sums_.size() == kBleu)
    for (size_t k = 0; k < kBleu; ++k) sums[k] += factor * row[k];
  else
    for (size_t k = 0; k < sums_.size(); ++k) sums[k] += factor * row[k];
}

void LineSweep::sort() {
  order_.resize(breaks_.size());
  for (size_t i = 0; i < breaks_.size(); ++i)
    order_[i] = {key_of(breaks_[i].at), static_cast<uint32_t>(i)};
  sort_spread(order_, sort_scratch_);
}

// Calls visit(left, right) from left to right, while the sums are those of the interval.
template <typename Visit>
void LineSweep::visit_intervals(Visit&& visit) {
  double left = -kInfinity;
  for (size_t i = 0; i <= order_.size(); ++i) {
    const double right = i < order_.size() ? breaks_[order_[i].index].at : kInfinity;
    visit(left, right);
    if (i == order_.size()) break;
    const uint32_t next = order_[i].index;
    if (i + kAhead < order_.size()) {
      const size_t ahead = order_[i + kAhead].index;
      prefetch_line(breaks_.data() + ahead);
      prefetch(changes_.data() + ahead * sums_.size(), sums_.size());
    }
    add(changes_.data() + next * sums_.size(), breaks_[next].weight);
    left = right;
  }
}

LinePoint LineSweep::best() {
  add_prefetched_rows();
  add_prefetched_breaks();
  sort();
  return form_.kind == MetricKind::rows ? best_by_rows() : best_by_formula();
}

LinePoint LineSweep::best_by_formula() {
  LinePoint best{0, -kInfinity};
  double nearest = kInfinity;
  visit_intervals([&](double left, double right) {
    if (!can_reach(form_, sums_, best.score) || !wide(left, right)) return;
    const double score = score_of(form_, sums_), from_zero = distance(left, right);
    if (score > best.score || (score == best.score && from_zero < nearest)) {
      nearest = from_zero;
      best = {inside(left, right), score};
    }
  });
  return best;
}

LinePoint LineSweep::best_by_rows() {
  BestInterval found{{0, -kInfinity}, kInfinity};
  visit_intervals([&](double left, double right) {
    if (!wide(left, right)) return;
    waiting_.push_back({left, right});
    rows_.insert(rows_.end(), sums_.begin(), sums_.end());
    if (waiting_.size() >= kRowsPerCall) score_waiting(found);
  });
  score_waiting(found);
  return found.point;
}

void LineSweep::score_waiting(BestInterval& found) {
  row_scores_.resize(waiting_.size());
  score_all(form_, rows_, row_scores_);
  for (size_t i = 0; i < waiting_.size(); ++i) {
    const auto [left, right] = waiting_[i];
    const double score = row_scores_[i], from_zero = distance(left, right);
    if (score > found.point.score || (score == found.point.score && from_zero < found.nearest))
      found = {{inside(left, right), score}, from_zero};
  }
  waiting_.clear();
  rows_.clear();
}

}  // namespace demotic::learn
