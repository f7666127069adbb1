// States of phrase hypotheses with joint features: the language model state plus as much of the
// past as features depend on. They are numbered (interned_states.h), so a hypothesis holds one
// number, as it does without joint features.
#pragma once

#include <array>
#include <bit>
#include <span>

#include "demotic/base/hash.h"
#include "demotic/features/sparse_features.h"
#include "demotic/search/interned_states.h"

namespace demotic::search {

// The past at the start of a sentence.
inline constexpr SparseFeatures::Past kNoPast{kNoRule, {kSentenceBegin, kSentenceBegin}};

// The past after a step with `rule` (kNoRule for a copied word) that yields `words`. A feature on
// the second to last word also needs the last word in `past`.
inline SparseFeatures::Past past_after(const SparseFeatures::Past& past, RuleId rule,
                                       std::span<const WordId> words) noexcept {
  if (words.empty()) return {rule, past.words};
  return {rule, {words.size() > 1 ? words[words.size() - 2] : past.words[1], words.back()}};
}

struct JointState {
  uint32_t lm;
  SparseFeatures::Past past;
  friend bool operator==(const JointState&, const JointState&) = default;
};

struct JointStateHash {
  uint64_t operator()(const JointState& state) const noexcept {
    const auto [a, b] = std::bit_cast<std::array<uint64_t, 2>>(state);
    return mix64(mix64(a) ^ b);
  }
};
using JointStates = InternedStates<JointState, JointStateHash>;

}  // namespace demotic::search
