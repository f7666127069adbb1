// Probabilities and backoffs of one order in 8 bits each: the values are divided into bins with
// equally many n-grams, and each is represented by the mean of its bin, as in KenLM (Federico &
// Bertoldi 2006). Up to 256 different values are represented exactly.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "demotic/lm/ngrams.h"

namespace demotic::lm {

struct Codebook {
  static constexpr size_t kSize = 256;
  // log10, ascending; but backoff code 0 is 0, so that n-grams without a backoff keep none.
  std::array<float, kSize> prob{}, backoff{};

  // The code of the nearest value.
  uint32_t prob_code(float value) const noexcept;
  uint32_t backoff_code(float value) const noexcept;
};

Codebook codebook_of(const NgramOrder& list);

// Divides values that arrive in ascending order into bins, and keeps the mean of each.
class BinMeans {
 public:
  // `values`: how many will be added. `means` is filled, in ascending order; the last value is
  // repeated if there are few values; without any, nothing is written.
  BinMeans(uint64_t values, std::span<float> means) : values_(values), means_(means) {}

  void add(float value);
  void finish();  // after the last one

 private:
  uint64_t end_of(size_t bin) const noexcept { return values_ * (bin + 1) / means_.size(); }

  uint64_t values_;
  std::span<float> means_;
  std::vector<float> distinct_;  // no more than one value too many
  uint64_t added_ = 0;
  size_t bin_ = 0;
  double sum_ = 0;
  uint64_t in_bin_ = 0;
};

}  // namespace demotic::lm
