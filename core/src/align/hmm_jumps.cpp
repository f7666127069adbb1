#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "demotic/align/hmm.h"

namespace demotic::align {
namespace {

constexpr double kMinWeight = 1e-6;

std::vector<double> normalized(std::vector<double> weights) {
  double sum = 0;
  for (const double weight : weights) sum += weight;
  for (double& weight : weights) weight = std::max(weight / sum, kMinWeight);
  return weights;
}

std::vector<double> first_weights(int32_t limit) {
  std::vector<double> weights;
  for (int32_t jump = -limit; jump <= limit; ++jump)
    weights.push_back(std::pow(0.5, std::abs(jump - 1)) + 0.01);
  return normalized(std::move(weights));
}

}  // namespace

JumpTable::JumpTable(int32_t limit, double uniform) : JumpTable(first_weights(limit), uniform) {}

JumpTable::JumpTable(std::vector<double> weights, double uniform)
    : weights_(std::move(weights)), uniform_(uniform) {
  const auto good = [](double weight) { return weight > 0 && std::isfinite(weight); };
  if (weights_.size() % 2 == 0 || !std::all_of(weights_.begin(), weights_.end(), good))
    throw std::invalid_argument("jump weights must be positive and of odd number");
  prefix_.push_back(0);
  for (const double weight : weights_) prefix_.push_back(prefix_.back() + weight);
}

double JumpTable::weight(int32_t jump) const noexcept {
  return weights_[std::clamp(jump, -limit(), limit()) + limit()];
}

double JumpTable::total(int32_t from, int32_t columns) const noexcept {
  const int32_t least = -from, most = columns - 1 - from;  // available jumps, inclusive
  const int32_t low = std::clamp(least, -limit(), limit()),
                high = std::clamp(most, -limit(), limit());
  double sum = prefix_[high + limit() + 1] - prefix_[low + limit()];
  sum += (low - least) * weights_.front() + (most - high) * weights_.back();
  return sum;
}

void JumpStatistics::add(const JumpStatistics& other) {
  taken.resize(std::max(taken.size(), other.taken.size()), 0);
  offered.resize(taken.size(), 0);
  for (size_t k = 0; k < other.taken.size(); ++k) {
    taken[k] += other.taken[k];
    offered[k] += other.offered[k];
  }
}

JumpTable improve(const JumpTable& table, const JumpStatistics& statistics) {
  std::vector<double> weights = table.weights();
  for (size_t k = 0; k < weights.size() && k < statistics.taken.size(); ++k)
    if (statistics.offered[k] > 0) weights[k] = statistics.taken[k] / statistics.offered[k];
  return JumpTable(normalized(std::move(weights)), table.uniform());
}

}  // namespace demotic::align
