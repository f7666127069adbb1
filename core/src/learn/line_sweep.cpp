#include "demotic/learn/line_sweep.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace demotic::learn {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr size_t kTogether = 64;  // breaks that wait for their statistics

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
  found_.clear();
  breaks_.clear();
  changes_.clear();
  std::fill(sums_.begin(), sums_.end(), 0.0);
}

// Statistics are far away in memory: they are asked for now and looked at a little later.
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

LinePoint LineSweep::best() {
  settle();
  order_.resize(breaks_.size());
  for (size_t i = 0; i < breaks_.size(); ++i)
    order_[i] = {key_of(breaks_[i].at), static_cast<uint32_t>(i)};
  radix_sort(order_);
  LinePoint best{0, -kInfinity};
  double left = -kInfinity, nearest = kInfinity;
  for (size_t i = 0; i <= order_.size(); ++i) {
    const double right = i < order_.size() ? breaks_[order_[i].index].at : kInfinity;
    if (can_reach(form_, sums_, best.score) && wide(left, right)) {
      const double score = score_of(form_, sums_), away = distance(left, right);
      if (score > best.score || (score == best.score && away < nearest)) {
        nearest = away;
        best = {inside(left, right), score};
      }
    }
    if (i == order_.size()) break;
    const uint32_t next = order_[i].index;
    add(changes_.data() + next * sums_.size(), breaks_[next].weight);
    left = right;
  }
  return best;
}

}  // namespace demotic::learn
