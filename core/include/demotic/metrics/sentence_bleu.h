// Bleu+1 of one candidate (Lin & Och 2004): 1 is added to matches and totals of n >= 2; without a
// matching word it is 0.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "demotic/metrics/bleu.h"
#include "demotic/metrics/reference_ngrams.h"

namespace demotic::metrics {

// `matches` by order, from 1; they and the lengths in words may be expected values.
double bleu_plus_one(const std::array<double, kBleuOrder>& matches, double length,
                     double reference_length) noexcept;

// Against one reference, for searches that score their own hypotheses. Not thread-safe; use one
// instance per thread. No allocation once the buffers have grown.
class SentenceBleu {
 public:
  void set_reference(std::span<const int32_t> reference);
  double operator()(std::span<const int32_t> candidate);

 private:
  ReferenceNgrams table_;
  size_t reference_length_ = 0;
  std::vector<int32_t> claimed_;
};

}  // namespace demotic::metrics
