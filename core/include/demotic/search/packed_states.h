// Chart states in as little memory as the order of the language model allows (32 bytes for 4-grams
// instead of 84 for a ChartState), so that a state fits into one cache line. States of several
// language models are stored side by side.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "demotic/base/hash.h"
#include "demotic/lm/chart_state.h"

namespace demotic::search {

// One state, for a chart scorer to read or write: `memory` holds a head and the words.
template <typename Memory>  // uint64_t, or constant
struct PackedState {
  Memory* memory;
  int32_t length = 0;
  LmState right{};
  bool full = false;

  static PackedState at_head(Memory* memory) noexcept {
    const uint64_t head = *memory;
    return {memory,
            static_cast<int32_t>(head >> 1 & kMaxLength),
            {uint32_t(head >> 32)},
            (head & 1) != 0};
  }
  // Writes the head; must be called after writing.
  void close() const noexcept {
    *memory = uint64_t{right.node} << 32 | static_cast<uint64_t>(length) << 1 | uint64_t{full};
  }
  LeftWord at(int32_t i) const noexcept { return std::bit_cast<LeftWord>(memory[1 + i]); }
  void add(LeftWord word) noexcept { memory[1 + length++] = std::bit_cast<uint64_t>(word); }

  static constexpr uint32_t kMaxLength = 0xff;
  static_assert(kMaxLmOrder <= kMaxLength);
};

// States are numbered from 0.
class PackedStates {
 public:
  // `places` has the offset of each model's state, then the end of the last one.
  explicit PackedStates(std::vector<uint32_t> places) : places_(std::move(places)) {}

  size_t size() const noexcept { return size_; }
  // Keeps only the first `size` states.
  void shrink(size_t size) noexcept { size_ = size; }
  // Appends an uninitialised state.
  void add() {
    if (++size_ * stride() > memory_.size()) memory_.resize(size_ * stride());
  }
  void add(const PackedStates& other, uint32_t state) {
    add();
    std::copy_n(other.of(state, 0), stride(), of(static_cast<uint32_t>(size_ - 1), 0));
  }

  uint64_t* of(uint32_t state, size_t model) noexcept {
    return memory_.data() + size_t{state} * stride() + places_[model];
  }
  const uint64_t* of(uint32_t state, size_t model) const noexcept {
    return memory_.data() + size_t{state} * stride() + places_[model];
  }
  bool same(uint32_t a, uint32_t b) const noexcept {
    for (size_t model = 0; model + 1 < places_.size(); ++model) {
      const std::span<const uint64_t> used = used_of(a, model);
      if (!std::equal(used.begin(), used.end(), of(b, model))) return false;
    }
    return true;
  }
  // One multiplication per word: the hash map mixes the result.
  uint64_t hash(uint32_t state) const noexcept {
    uint64_t hash = 0;
    for (size_t model = 0; model + 1 < places_.size(); ++model)
      for (const uint64_t word : used_of(state, model))
        hash = std::rotl((hash ^ word) * 0x9e3779b97f4a7c15u, 32);
    return hash;
  }

 private:
  size_t stride() const noexcept { return places_.back(); }
  // The head and the words of a state; the memory after them is undefined.
  std::span<const uint64_t> used_of(uint32_t state, size_t model) const noexcept {
    const uint64_t* memory = of(state, model);
    return {memory, size_t(1 + PackedState<const uint64_t>::at_head(memory).length)};
  }

  std::vector<uint32_t> places_;
  std::vector<uint64_t> memory_;
  size_t size_ = 0;
};

}  // namespace demotic::search
