// The difference between the feature vectors of two candidates: the direction of a margin learner's
// step.
#pragma once

#include <algorithm>
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
    parts_.reserve(lists.dense_features());
    for (int32_t f = 0; f < lists.dense_features(); ++f) {
      const float* column = lists.column(list, f);
      if (column[a] != column[b]) parts_.emplace_back(f, double{column[a]} - double{column[b]});
    }
    add_sparse(lists, lists.parts(list, a), lists.parts(list, b));
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
  // Parts that both candidates have cancel; the others are added up feature by feature.
  void add_sparse(const CandidateLists& lists, std::span<const int32_t> left,
                  std::span<const int32_t> right) {
    const size_t dense = parts_.size();
    const auto add = [&](int32_t part, double sign) {
      lists.visit_part(part,
                       [&](int32_t id, double value) { parts_.emplace_back(id, sign * value); });
    };
    size_t i = 0, j = 0;
    while (i < left.size() || j < right.size()) {
      if (j == right.size() || (i < left.size() && left[i] < right[j]))
        add(left[i++], 1);
      else if (i == left.size() || right[j] < left[i])
        add(right[j++], -1);
      else
        ++i, ++j;
    }
    std::sort(parts_.begin() + dense, parts_.end());
    sum_up(dense);
  }

  // Adds up the values of equal ids from position `from` on.
  void sum_up(size_t from) {
    size_t kept = from;
    for (size_t i = from; i < parts_.size();) {
      auto [id, sum] = parts_[i++];
      while (i < parts_.size() && parts_[i].first == id) sum += parts_[i++].second;
      if (sum != 0) parts_[kept++] = {id, sum};
    }
    parts_.resize(kept);
  }

  std::vector<std::pair<int32_t, double>> parts_;  // ids ascending, no zeros
};

}  // namespace demotic::learn
