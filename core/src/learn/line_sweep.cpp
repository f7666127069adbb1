#include "demotic/learn/line_sweep.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace demotic {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

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
  breaks_.clear();
  std::fill(sums_.begin(), sums_.end(), 0.0);
}

void LineSweep::add_break(double at, const int32_t* before, const int32_t* after, double weight) {
  if (!std::equal(before, before + sums_.size(), after))
    breaks_.push_back({at, weight, before, after});
}

void LineSweep::add(const int32_t* row, double factor) {
  for (size_t k = 0; k < sums_.size(); ++k) sums_[k] += factor * row[k];
}

LinePoint LineSweep::best() {
  order_.resize(breaks_.size());
  for (size_t i = 0; i < breaks_.size(); ++i)
    order_[i] = {key_of(breaks_[i].at), static_cast<uint32_t>(i)};
  radix_sort(order_);
  LinePoint best{0, -kInfinity};
  double left = -kInfinity, nearest = kInfinity;
  for (size_t i = 0; i <= order_.size(); ++i) {
    const double right = i < order_.size() ? breaks_[order_[i].index].at : kInfinity;
    if (wide(left, right)) {
      const double score = score_of(form_, sums_), away = distance(left, right);
      if (score > best.score || (score == best.score && away < nearest)) {
        nearest = away;
        best = {inside(left, right), score};
      }
    }
    if (i == order_.size()) break;
    const Break& change = breaks_[order_[i].index];
    add(change.before, -change.weight);
    add(change.after, change.weight);
    left = right;
  }
  return best;
}

}  // namespace demotic
