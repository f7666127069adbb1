// What hypotheses of phrase search remember for joint features: the state of the language models
// with as much of the past as features look at, numbered, so that a hypothesis carries one number
// as it does without such features. Numbers are valid until `clear`. One object a thread.
#pragma once

#include <array>
#include <bit>
#include <span>
#include <vector>

#include "demotic/base/flat_map.h"
#include "demotic/features/sparse_features.h"

namespace demotic::search {

// The past of the first step.
inline constexpr SparseFeatures::Past kNoPast{kNoRule, {kSentenceBegin, kSentenceBegin}};

// The past after a step that translates by `rule`, kNoRule if it copies, and gives `words`. Of the
// words before it, a feature that looks at the last but one needs the last in `past` too.
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

class JointStates {
 public:
  void clear() noexcept {
    states_.clear();
    ids_.clear();
  }
  uint32_t intern(const JointState& state) {
    const auto [id, fresh] = ids_.insert(state);
    if (fresh) {
      id = static_cast<uint32_t>(states_.size());
      states_.push_back(state);
    }
    return id;
  }
  const JointState& operator[](uint32_t id) const noexcept { return states_[id]; }

 private:
  struct Hash {
    uint64_t operator()(const JointState& state) const noexcept {
      const auto [a, b] = std::bit_cast<std::array<uint64_t, 2>>(state);
      return mix64(mix64(a) ^ b);
    }
  };
  std::vector<JointState> states_;
  FlatMap<JointState, uint32_t, Hash> ids_;
};

}  // namespace demotic::search
