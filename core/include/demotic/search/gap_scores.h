// The weighted sum of the dense and sparse features of a gap, by what they depend on: whether it is
// reordered, and how many source words it covers. Summed up once per weight vector.
#pragma once

#include <algorithm>
#include <array>
#include <span>

#include "demotic/search/hiero_model.h"

namespace demotic::search {

class GapScores {
 public:
  void set(const HieroModel& model, std::span<const double> weights) {
    for (const bool reordered : {false, true})
      for (int32_t size = 1; size <= kMaxGapSize; ++size) {
        double sum = 0;
        model.features().for_each_value(
            FilledGap{reordered, size, model.reordering()},
            [&](int32_t feature, double value) { sum += weights[feature] * value; });
        if (model.has_sparse_gaps())
          sum += weights[model.features().sparse()] * model.sparse_gap_value(reordered, size);
        scores_[reordered][size] = static_cast<float>(sum);
      }
  }

  // Of a gap that covers `words` source words.
  float operator()(bool reordered, int32_t words) const noexcept {
    return scores_[reordered][std::min(words, kMaxGapSize)];
  }
  // The same for whichever order is better.
  float best(int32_t words) const noexcept {
    return std::max((*this)(false, words), (*this)(true, words));
  }

 private:
  std::array<std::array<float, kMaxGapSize + 1>, 2> scores_{};
};

}  // namespace demotic::search
