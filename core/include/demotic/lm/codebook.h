// Probabilities and backoffs of one order in 8 bits each: the values are divided into bins with
// equally many n-grams, and each is represented by the mean of its bin, as in KenLM (Federico &
// Bertoldi 2006). Up to 256 different values are represented exactly.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

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

}  // namespace demotic::lm
