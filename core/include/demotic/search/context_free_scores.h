// Language model scores of the words of each rule without context. Computing them dominates the
// ranking of rules of frequent phrases, and they do not depend on the weights, so they are cached
// for all searches of a model.
//
// Thread-safe: threads that compute the same rule at once get the same numbers. Memory: 8 bytes per
// rule and language model, at most 32 MB per language model; of two rules with the same slot, the
// later one stays.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>
#include <span>

#include "demotic/rules/rule_store.h"

namespace demotic::search {

class ContextFreeScores {
 public:
  ContextFreeScores(RuleId rules, size_t models)
      : models_(models),
        stride_(std::max<size_t>(1, models)),
        bits_(std::min<uint32_t>(kMaxBits, std::bit_width(rules))),
        rows_(static_cast<uint64_t*>(std::calloc(stride_ << bits_, sizeof(uint64_t)))) {
    if (!rows_) throw std::bad_alloc();
  }

  // Returns the number of words of a rule, or -1 if it is not cached; fills in one score per model.
  int32_t find(RuleId rule, std::span<float> scores) const noexcept {
    uint64_t* row = row_of(rule);
    uint64_t number = 0;
    for (size_t i = 0; i < stride_; ++i) {
      number = std::atomic_ref(row[i]).load(std::memory_order_relaxed);
      if ((number & kOwner) != owner(rule)) return -1;
      if (i < models_) scores[i] = std::bit_cast<float>(static_cast<uint32_t>(number >> 32));
    }
    return static_cast<int32_t>(number >> 24 & 0xff);
  }
  bool knows(RuleId rule) const noexcept {
    const uint64_t number = std::atomic_ref(*row_of(rule)).load(std::memory_order_relaxed);
    return (number & kOwner) == owner(rule);
  }
  void put(RuleId rule, uint32_t words, std::span<const float> scores) const noexcept {
    uint64_t* row = row_of(rule);
    for (size_t i = 0; i < stride_; ++i) {
      const uint32_t score = i < models_ ? std::bit_cast<uint32_t>(scores[i]) : 0;
      const uint64_t number = uint64_t{score} << 32 | uint64_t{words} << 24 | owner(rule);
      std::atomic_ref(row[i]).store(number, std::memory_order_relaxed);
    }
  }

 private:
  static constexpr uint32_t kMaxBits = 22;
  static constexpr uint64_t kOwner = 0xffffff;
  static_assert(kMaxTargetSymbols <= 0xff);

  struct Free {
    void operator()(uint64_t* memory) const noexcept { std::free(memory); }
  };
  // Identifies the rule among those that share a row; never 0, which marks unused rows.
  uint64_t owner(RuleId rule) const noexcept { return (uint64_t{rule} >> bits_) + 1; }
  uint64_t* row_of(RuleId rule) const noexcept {
    return rows_.get() + (rule & ((size_t{1} << bits_) - 1)) * stride_;
  }

  size_t models_, stride_;
  uint32_t bits_;
  // Each number is self-contained, so no lock is needed: a score, the number of words, and the
  // owner.
  std::unique_ptr<uint64_t[], Free> rows_;
};

}  // namespace demotic::search
