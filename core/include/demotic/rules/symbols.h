// The symbols of a rule. A terminal is its WordId. On the source side a gap is -(label + 1), where
// the label is the index of a nonterminal; on the target side it is -(k + 1) for the k-th source
// gap.
#pragma once

#include <cstdint>

#include "demotic/text/vocabulary.h"

namespace demotic::rules {

using Symbol = int32_t;

constexpr bool is_gap(Symbol symbol) noexcept { return symbol < 0; }
constexpr Symbol gap_symbol(int32_t index) noexcept { return -index - 1; }
constexpr int32_t gap_index(Symbol symbol) noexcept { return -symbol - 1; }

inline constexpr int32_t kMaxGaps = 2;

// The nonterminals of extracted grammars; imported grammars have their own.
inline constexpr int32_t kLabelX = 0;
inline constexpr int32_t kLabelS = 1;

}  // namespace demotic::rules
