// The difference between the feature vectors of two candidates: the direction of a margin learner's
// step.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "demotic/learn/candidates.h"

namespace demotic::learn {

class Difference {
 public:
  // Features of `a` minus those of `b`, two candidates of one list.
  Difference(const CandidateLists& lists, int64_t list, int32_t a, int32_t b) {
    std::vector<std::pair<int32_t, double>> left, right;
    const auto into = [](auto& row) {
      return [&row](int32_t id, double value) { row.emplace_back(id, value); };
    };
    lists.visit_features(list, a, into(left));
    lists.visit_features(list, b, into(right));
    size_t i = 0, j = 0;
    while (i < left.size() || j < right.size()) {
      const bool take_left =
          j == right.size() || (i < left.size() && left[i].first <= right[j].first);
      const bool take_right =
          i == left.size() || (j < right.size() && right[j].first <= left[i].first);
      const int32_t id = take_left ? left[i].first : right[j].first;
      double value = take_left ? left[i++].second : 0.0;
      if (take_right) value -= right[j++].second;
      if (value != 0) parts_.emplace_back(id, value);
    }
  }

  const std::vector<std::pair<int32_t, double>>& parts() const noexcept { return parts_; }
  double norm() const noexcept { return product(*this); }  // squared

  double product(const Difference& other) const noexcept {
    double sum = 0;
    auto i = parts_.begin(), j = other.parts_.begin();
    while (i != parts_.end() && j != other.parts_.end()) {
      if (i->first == j->first) sum += i->second * j->second;
      const int32_t here = i->first, there = j->first;
      if (here <= there) ++i;
      if (there <= here) ++j;
    }
    return sum;
  }

  double dot(std::span<const double> weights) const noexcept {
    double sum = 0;
    for (const auto& [id, value] : parts_) sum += weights[id] * value;
    return sum;
  }

  void add_to(std::span<double> weights, double factor) const noexcept {
    for (const auto& [id, value] : parts_) weights[id] += factor * value;
  }

 private:
  std::vector<std::pair<int32_t, double>> parts_;  // ids ascending, no zeros
};

}  // namespace demotic::learn
