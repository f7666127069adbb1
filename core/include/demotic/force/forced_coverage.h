// Covered source words in forced decoding: the first open word, and 64 bits for the words from
// there on. If 64 are too few, the bits are the id of a set in a table. Both variants have the same
// functions.
#pragma once

#include <bit>
#include <cstdint>

#include "demotic/search/coverage.h"

namespace demotic::force {

// The first words of a set.
constexpr uint64_t first_words(int32_t count) noexcept {
  return count < 64 ? (uint64_t{1} << count) - 1 : ~uint64_t{0};
}

struct Covered {
  uint64_t set;
  int32_t first;  // open word
};

// For less than 64 words in the sentence or within reach.
struct NarrowCoverage {
  static constexpr int32_t kMaxReach = 63;

  // The words are not before the first open one.
  static bool open(const Covered& covered, int32_t begin, int32_t end) noexcept {
    return (covered.set >> (begin - covered.first) & first_words(end - begin)) == 0;
  }
  static Covered with(const Covered& covered, int32_t begin, int32_t end) noexcept {
    const int32_t before = begin - covered.first, words = end - begin;
    if (before > 0) return {covered.set | first_words(words) << before, covered.first};
    // A phrase that is longer than any reach has no covered words behind it.
    if (words > kMaxReach) return {0, end};
    const uint64_t rest = covered.set >> words;
    const int32_t more = std::countr_one(rest);
    return {rest >> more, end + more};
  }
  // The 64 words from the first open one on.
  static uint64_t window(const Covered& covered) noexcept { return covered.set; }
};

struct WideCoverage {
  CoverageTable& table;

  bool open(const Covered& covered, int32_t begin, int32_t end) const noexcept {
    return table.next_covered(static_cast<CoverageId>(covered.set), begin) >= end;
  }
  Covered with(const Covered& covered, int32_t begin, int32_t end) const {
    const CoverageId id = table.with(static_cast<CoverageId>(covered.set), begin, end);
    return {id, table.first_open(id)};
  }
  uint64_t window(const Covered& covered) const noexcept {
    return table.window(static_cast<CoverageId>(covered.set));
  }
};

}  // namespace demotic::force
