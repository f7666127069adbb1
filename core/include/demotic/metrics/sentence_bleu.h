// Bleu+1 of one candidate against one reference (Lin & Och 2004): 1 is added to matches and totals
// of n >= 2; an empty candidate has 0. For searches that score their own hypotheses. Not
// thread-safe; use one instance per thread. No allocation once the buffers have grown.
#pragma once

#include <span>
#include <vector>

#include "demotic/metrics/reference_ngrams.h"

namespace demotic::metrics {

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
