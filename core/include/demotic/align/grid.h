// One sentence pair in one direction: each generated word (a row) is explained by one of the
// conditioning words (a column) or by the empty word. The models turn the translation probabilities
// in a grid into the posterior probabilities of its links.
#pragma once

#include <cstdint>

#include "demotic/namespaces.h"

namespace demotic::align {

struct Grid {
  int32_t rows = 0;        // generated words
  int32_t columns = 0;     // conditioning words
  int32_t stride = 0;      // columns padded to whole lanes; the padding is zero and stays so
  float* links = nullptr;  // rows * stride: p(generated | conditioning), then posteriors
  float* empty = nullptr;  // rows: the same for the empty word

  float* row(int32_t r) const noexcept { return links + int64_t{r} * stride; }
};

// In a vector of chosen columns: the word is explained by the empty word.
inline constexpr int32_t kNoLink = -1;

// Model 1 (Brown et al. 1993): all columns are equally likely, the empty word has probability
// `null_probability`. Returns the log-likelihood.
double model1_posteriors(const Grid& grid, double null_probability);

// The most probable column of each row, for models with independent rows.
void best_columns(const Grid& posteriors, int32_t* columns);

}  // namespace demotic::align
