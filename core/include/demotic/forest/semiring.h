// The semirings of the passes over a hypergraph (Goodman 1999). `times` combines an edge with the
// values of its tails, `Sum` adds alternatives. A sum is a separate object so that a sum of
// exponentials costs one exponential per term and one logarithm in total.
#pragma once

#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>

#include "demotic/namespaces.h"

namespace demotic::forest {

template <typename S>
concept Semiring = requires(typename S::Value value, typename S::Sum sum) {
  { S::zero() } -> std::same_as<typename S::Value>;
  { S::one() } -> std::same_as<typename S::Value>;
  { S::times(value, value) } -> std::same_as<typename S::Value>;
  { sum.add(value) };
  { sum.total() } -> std::same_as<typename S::Value>;
  { value == value } -> std::same_as<bool>;
};

inline constexpr double kNoScore = -std::numeric_limits<double>::infinity();

// Whether there is a derivation.
struct Boolean {
  using Value = uint8_t;
  static Value zero() noexcept { return 0; }
  static Value one() noexcept { return 1; }
  static Value times(Value a, Value b) noexcept { return a & b; }
  struct Sum {
    Value value = 0;
    void add(Value term) noexcept { value |= term; }
    Value total() const noexcept { return value; }
  };
};

// The number of derivations, rounded to double; infinite beyond its range.
struct Counting {
  using Value = double;
  static Value zero() noexcept { return 0; }
  static Value one() noexcept { return 1; }
  // Avoids 0 times infinity, which is NaN.
  static Value times(Value a, Value b) noexcept { return a == 0 || b == 0 ? 0 : a * b; }
  struct Sum {
    Value value = 0;
    void add(Value term) noexcept { value += term; }
    Value total() const noexcept { return value; }
  };
};

// The exact number of derivations; the largest integer stands for itself and everything above.
struct ExactCounting {
  using Value = uint64_t;
  static constexpr Value kMaxValue = std::numeric_limits<Value>::max();
  static Value zero() noexcept { return 0; }
  static Value one() noexcept { return 1; }
  static Value times(Value a, Value b) noexcept {
    return a != 0 && b > kMaxValue / a ? kMaxValue : a * b;
  }
  struct Sum {
    Value value = 0;
    void add(Value term) noexcept { value = term > kMaxValue - value ? kMaxValue : value + term; }
    Value total() const noexcept { return value; }
  };
};

// The score of the best derivation.
struct MaxPlus {
  using Value = double;
  static Value zero() noexcept { return kNoScore; }
  static Value one() noexcept { return 0; }
  static Value times(Value a, Value b) noexcept { return a + b; }
  struct Sum {
    Value value = kNoScore;
    void add(Value term) noexcept {
      if (term > value) value = term;
    }
    Value total() const noexcept { return value; }
  };
};

// The best derivation: its score and its first edge, which `times` takes from the left factor, the
// edge. Of equal ones the first is kept.
struct Best {
  struct Value {
    double score = kNoScore;
    int32_t edge = -1;
    bool operator==(const Value&) const = default;
  };
  static Value zero() noexcept { return {}; }
  static Value one() noexcept { return {0, -1}; }
  static Value times(Value a, Value b) noexcept { return {a.score + b.score, a.edge}; }
  struct Sum {
    Value value;
    void add(Value term) noexcept {
      if (term.score > value.score) value = term;
    }
    Value total() const noexcept { return value; }
  };
};

// log of the sum of exp(score) over all derivations.
struct LogSum {
  using Value = double;
  static Value zero() noexcept { return kNoScore; }
  static Value one() noexcept { return 0; }
  static Value times(Value a, Value b) noexcept { return a + b; }
  struct Sum {
    double largest = kNoScore, scaled = 0;  // the sum is exp(largest) * scaled
    void add(Value term) noexcept {
      if (term == kNoScore) return;
      if (term <= largest) {
        scaled += std::exp(term - largest);
      } else {
        scaled = scaled * std::exp(largest - term) + 1;
        largest = term;
      }
    }
    Value total() const noexcept { return scaled == 0 ? kNoScore : largest + std::log(scaled); }
  };
};

}  // namespace demotic::forest
