// The candidates of a list that learners compare: hope, fear, best and worst.
#pragma once

#include <cstdint>
#include <span>

#include "demotic/namespaces.h"

namespace demotic::learn {

// Positions in a list; ties go to the first.
struct Rivals {
  int32_t hope = 0;   // highest score + gain
  int32_t fear = 0;   // highest score - gain
  int32_t best = 0;   // highest score
  int32_t worst = 0;  // lowest score
};

// The list must not be empty.
Rivals choose_rivals(std::span<const double> scores, std::span<const double> gains);

}  // namespace demotic::learn
