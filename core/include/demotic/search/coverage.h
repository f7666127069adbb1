// Sets of covered source words, each stored once per sentence.
//
// A set consists of the first uncovered word and a mask of the words from there on. With a
// distortion limit of up to 63 words and the gap test, no covered word is further ahead, so 64 bits
// are enough for a sentence of any length. Without such a limit the mask has one bit per word.
#pragma once

#include <bit>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <vector>

#include "demotic/base/flat_map.h"

namespace demotic::search {

using CoverageId = uint32_t;

// Jumps, and how many words they pass in all.
struct Jumps {
  int32_t count = 0, distance = 0;
};

class CoverageTable {
 public:
  // Starts a sentence. No covered word ends more than `reach` words after the first uncovered one.
  void reset(int32_t length, int32_t reach);

  CoverageId empty() const noexcept { return 0; }
  // The first uncovered word; the length of the sentence if all are covered.
  int32_t first_open(CoverageId id) const noexcept { return first_[id]; }
  bool covers(CoverageId id, int32_t word) const noexcept {
    const int32_t bit = word - first_[id];
    if (bit < 0) return true;
    const size_t cell = bit / size_t{64};
    return cell < width_ && (mask(id)[cell] >> bit % 64 & 1);
  }
  // The end of the last covered word.
  int32_t end(CoverageId id) const noexcept {
    for (size_t cell = width_; cell-- > 0;)
      if (const uint64_t bits = mask(id)[cell])
        return first_[id] + static_cast<int32_t>(64 * cell + std::bit_width(bits));
    return first_[id];
  }
  // The mask of the 64 words from the first uncovered one on.
  uint64_t window(CoverageId id) const noexcept { return *mask(id); }
  // The first covered word at or after `word`, which must not be before the first uncovered one;
  // the length of the sentence if there is none.
  int32_t next_covered(CoverageId id, int32_t word) const noexcept;
  // Calls visit(begin, end) for each maximal uncovered span, from left to right.
  template <typename Visit>
  void for_each_gap(CoverageId id, Visit&& visit) const {
    for (int32_t begin = first_open(id); begin < length_;) {
      if (covers(id, begin)) {
        ++begin;
        continue;
      }
      const int32_t end = next_covered(id, begin);
      visit(begin, end);
      begin = end;
    }
  }
  // The jumps that remain once [begin, end), which is in a gap or empty, is covered too, and the
  // last phrase ends there, if the gaps are then filled from left to right.
  Jumps jumps_after(CoverageId id, int32_t begin, int32_t end) const {
    if (width_ == 1 && begin >= first_[id] && end - first_[id] < 64)
      return jumps_after_in_window(id, begin, end);
    Jumps jumps;
    int32_t at = end;
    const auto fill = [&](int32_t from, int32_t to) {
      if (from == to) return;
      jumps.count += from != at;
      jumps.distance += std::abs(from - at);
      at = to;
    };
    for_each_gap(id, [&](int32_t from, int32_t to) {
      const bool inside = from <= begin && end <= to;
      fill(from, inside ? begin : to);
      if (inside) fill(end, to);
    });
    return jumps;
  }
  // Returns the union with [begin, end), which must be uncovered.
  CoverageId with(CoverageId id, int32_t begin, int32_t end);

 private:
  // The same from the bits of the mask.
  Jumps jumps_after_in_window(CoverageId id, int32_t begin, int32_t end) const noexcept {
    const uint64_t made = (uint64_t{1} << (end - begin)) - 1;
    uint64_t mask = window(id) | made << (begin - first_[id]);
    const int32_t shift = std::countr_one(mask), open = first_[id] + shift;
    if (open >= length_) return {};
    mask >>= shift;  // now of the words from the next uncovered one on
    int32_t blocks = std::popcount(mask & ~(mask << 1)), words = std::popcount(mask);
    // Nothing follows the last block.
    if (mask != 0 && open + static_cast<int32_t>(std::bit_width(mask)) == length_) {
      --blocks;
      words -= std::countl_one(mask << std::countl_zero(mask));
    }
    return {blocks + (end != open), words + std::abs(end - open)};
  }

  struct Key {
    uint64_t mask;  // the mask, or the hash of a longer one, whose sets are then compared
    int32_t first;
    uint32_t next;  // distinguishes sets with equal hashes
    friend bool operator==(const Key&, const Key&) = default;
  };
  struct KeyHash {
    uint64_t operator()(const Key& key) const noexcept {
      return mix64(key.mask ^ (uint64_t{static_cast<uint32_t>(key.first)} << 32 | key.next) *
                                  0x9e3779b97f4a7c15u);
    }
  };
  const uint64_t* mask(CoverageId id) const noexcept { return masks_.data() + id * width_; }
  CoverageId intern(int32_t first);  // returns the id of the set in scratch_

  int32_t length_ = 0;
  size_t width_ = 1;  // 64-bit words per mask
  std::vector<int32_t> first_;
  std::vector<uint64_t> masks_;
  std::vector<uint64_t> scratch_;
  FlatMap<Key, CoverageId, KeyHash> ids_;
};

}  // namespace demotic::search
