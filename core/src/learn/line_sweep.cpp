#include "demotic/learn/line_sweep.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace demotic::learn {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr size_t kTogether = 64;           // rows or breaks that wait for their statistics
constexpr size_t kAhead = 8;               // breaks whose changes are prefetched in the sweep
constexpr size_t kRowsTogether = 1 << 14;  // sums that one call scores

void prefetch(const int32_t* values, size_t count) {
  __builtin_prefetch(values);
  __builtin_prefetch(values + count - 1);
}

// Orders doubles as their bits do.
uint64_t key_of(double value) {
  const auto bits = std::bit_cast<uint64_t>(value);
  return bits >> 63 != 0 ? ~bits : bits | uint64_t{1} << 63;
}

bool wide(double left, double right) {
  if (left == -kInfinity || right == kInfinity) return true;
  return right - left > kNarrow * (1 + std::min(std::abs(left), std::abs(right)));
}

// Where to enter an interval.
double inside(double left, double right) {
  if (left == -kInfinity) return right == kInfinity ? 0 : right - kBeyond;
  return right == kInfinity ? left + kBeyond : left + (right - left) / 2;
}

// From 0 to the interval; 0 if it is inside.
double distance(double left, double right) { return std::max({0.0, left, -right}); }

}  // namespace

void LineSweep::begin() {
  firsts_.clear();
  found_.clear();
  breaks_.clear();
  changes_.clear();
  std::fill(sums_.begin(), sums_.end(), 0.0);
}

// Statistics are far away in memory: they are prefetched now and read a little later.
void LineSweep::add_first(const int32_t* row, double weight) {
  prefetch(row, sums_.size());
  firsts_.push_back({row, weight});
  if (firsts_.size() >= kTogether) add_firsts();
}

void LineSweep::add_firsts() {
  for (const auto& [row, weight] : firsts_) add(row, weight);
  firsts_.clear();
}

void LineSweep::add_break(double at, const int32_t* before, const int32_t* after, double weight) {
  prefetch(before, sums_.size());
  prefetch(after, sums_.size());
  found_.push_back({{at, weight}, before, after});
  if (found_.size() >= kTogether) settle();
}

// Where nothing changes there is no break.
void LineSweep::settle() {
  for (const auto& [place, before, after] : found_) {
    if (std::equal(before, before + sums_.size(), after)) continue;
    breaks_.push_back(place);
    for (size_t k = 0; k < sums_.size(); ++k) changes_.push_back(after[k] - before[k]);
  }
  found_.clear();
}

void LineSweep::add(const int32_t* row, double factor) {
  for (size_t k = 0; k < sums_.size(); ++k) sums_[k] += factor * row[k];
}

void LineSweep::sort() {
  order_.resize(breaks_.size());
  for (size_t i = 0; i < breaks_.size(); ++i)
    order_[i] = {key_of(breaks_[i].at), static_cast<uint32_t>(i)};
  radix_sort(order_, sorting_);
}

// visit(left, right) from left to right, with the sums of each interval.
template <typename Visit>
void LineSweep::visit_intervals(Visit&& visit) {
  double left = -kInfinity;
  for (size_t i = 0; i <= order_.size(); ++i) {
    const double right = i < order_.size() ? breaks_[order_[i].index].at : kInfinity;
    visit(left, right);
    if (i == order_.size()) break;
    const uint32_t next = order_[i].index;
    if (i + kAhead < order_.size())
      prefetch(changes_.data() + order_[i + kAhead].index * sums_.size(), sums_.size());
    add(changes_.data() + next * sums_.size(), breaks_[next].weight);
    left = right;
  }
}

LinePoint LineSweep::best() {
  add_firsts();
  settle();
  sort();
  return form_.kind == MetricKind::rows ? best_by_rows() : best_by_formula();
}

LinePoint LineSweep::best_by_formula() {
  LinePoint best{0, -kInfinity};
  double nearest = kInfinity;
  visit_intervals([&](double left, double right) {
    if (!can_reach(form_, sums_, best.score) || !wide(left, right)) return;
    const double score = score_of(form_, sums_), away = distance(left, right);
    if (score > best.score || (score == best.score && away < nearest)) {
      nearest = away;
      best = {inside(left, right), score};
    }
  });
  return best;
}

LinePoint LineSweep::best_by_rows() {
  Found found{{0, -kInfinity}, kInfinity};
  visit_intervals([&](double left, double right) {
    if (!wide(left, right)) return;
    waiting_.push_back({left, right});
    rows_.insert(rows_.end(), sums_.begin(), sums_.end());
    if (waiting_.size() >= kRowsTogether) score_waiting(found);
  });
  score_waiting(found);
  return found.point;
}

void LineSweep::score_waiting(Found& found) {
  row_scores_.resize(waiting_.size());
  score_all(form_, rows_, row_scores_);
  for (size_t i = 0; i < waiting_.size(); ++i) {
    const auto [left, right] = waiting_[i];
    const double score = row_scores_[i], away = distance(left, right);
    if (score > found.point.score || (score == found.point.score && away < found.nearest))
      found = {{inside(left, right), score}, away};
  }
  waiting_.clear();
  rows_.clear();
}

}  // namespace demotic::learn
