// Random numbers that are the same on every machine: xoshiro256++ (Blackman & Vigna 2019) seeded by
// splitmix64, with our own uniform, bounded and shuffling draws, because those of the standard
// library differ between implementations. Use one generator per thread; `fork` makes independent
// generators from (seed, stream), so that sentence i gets the same numbers on any thread. A fork
// can be forked again: epoch, then sentence.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <utility>

#include "demotic/namespaces.h"

namespace demotic::base {

constexpr uint64_t splitmix64(uint64_t& state) noexcept {
  uint64_t z = (state += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

class Rng {
 public:
  explicit Rng(uint64_t seed, uint64_t stream = 0) noexcept {
    uint64_t mix = stream;
    uint64_t state = seed ^ splitmix64(mix);
    for (uint64_t& word : state_) word = splitmix64(state);
    seed_ = splitmix64(state);
  }

  // Does not depend on earlier draws.
  Rng fork(uint64_t stream) const noexcept { return Rng(seed_, stream + 1); }

  uint64_t next() noexcept {
    auto& s = state_;
    const uint64_t result = std::rotl(s[0] + s[3], 23) + s[0];
    const uint64_t t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = std::rotl(s[3], 45);
    return result;
  }

  // In [0, 1), 53 random bits.
  double uniform() noexcept { return static_cast<double>(next() >> 11) * 0x1.0p-53; }

  // In [0, bound), unbiased: values under 2^64 mod bound are drawn again. bound > 0.
  uint64_t below(uint64_t bound) noexcept {
    const uint64_t threshold = (0 - bound) % bound;
    for (;;) {
      const uint64_t draw = next();
      if (draw >= threshold) return draw % bound;
    }
  }

  template <typename T>
  void shuffle(std::span<T> items) noexcept {
    for (size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[below(i)]);
  }

 private:
  uint64_t seed_;  // for forks; differs between streams, so that forks of forks differ too
  std::array<uint64_t, 4> state_{};
};

}  // namespace demotic::base
