// What each language model says of every rule's words by themselves. It takes most of the time of
// choosing among the rules of a frequent phrase and does not change with the weights, so it is
// worked out when it is first needed and kept for all searches of a model.
//
// Thread-safe: threads that work out the same rule at once come to the same numbers. Memory: 4
// bytes a rule, and 4 more for each model, of the rules that were asked for; the rest is never
// touched.
#pragma once

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>
#include <span>

#include "demotic/rules/rule_store.h"

namespace demotic {

class AloneScores {
 public:
  AloneScores(RuleId rules, size_t models)
      : stride_(models + 1), rows_(static_cast<float*>(std::calloc(rules + size_t{1}, bytes()))) {
    if (!rows_) throw std::bad_alloc();
  }

  // The number of words of a rule, -1 if it is not known yet; `scores` has one for each model.
  int32_t find(RuleId rule, std::span<float> scores) const noexcept {
    float* row = rows_.get() + rule * stride_;
    const float known = std::atomic_ref(row[0]).load(std::memory_order_acquire);
    for (size_t i = 1; i < stride_; ++i)
      scores[i - 1] = std::atomic_ref(row[i]).load(std::memory_order_relaxed);
    return static_cast<int32_t>(known) - 1;
  }
  void put(RuleId rule, uint32_t words, std::span<const float> scores) const noexcept {
    float* row = rows_.get() + rule * stride_;
    for (size_t i = 1; i < stride_; ++i)
      std::atomic_ref(row[i]).store(scores[i - 1], std::memory_order_relaxed);
    std::atomic_ref(row[0]).store(static_cast<float>(words + 1), std::memory_order_release);
  }

 private:
  struct Free {
    void operator()(float* memory) const noexcept { std::free(memory); }
  };
  size_t bytes() const noexcept { return stride_ * sizeof(float); }

  size_t stride_;
  std::unique_ptr<float[], Free> rows_;  // a rule's words + 1, 0 if not known; its scores
};

}  // namespace demotic
