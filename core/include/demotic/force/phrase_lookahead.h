// Look-ahead of forced phrase decoding: what may complete a state, by its first open word and its
// position in the reference alone. For each such cell, the source words that some completion
// covers, and those that every completion covers. A state is dead if it has an open word that no
// completion covers, or has covered one that every completion needs; dropping it loses no
// derivation.
//
// Computed from the last position to the first under the rules of the search itself, but ignoring
// the distance between phrases and the words covered before. Time: phrases times words within
// reach. Sets are 64 words from the first open one on; nothing is known about words behind them.
//
// Not thread-safe; use one instance per thread.
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "demotic/force/forced_coverage.h"
#include "demotic/force/gold_phrases.h"

namespace demotic::force {

class PhraseLookahead {
 public:
  struct Space {
    int32_t length, reference_length;
    int32_t reach;  // a phrase that leaves the first open word open ends at most this far behind it
    bool prefixes;  // any state whose covered words are a prefix of the sentence is a goal
  };
  // Cells of the largest pair, source times reference words, of 16 bytes each.
  static constexpr int64_t kMaxCells = int64_t{1} << 22;

  // For the selected phrases.
  void build(const GoldPhrases& phrases, const Space& space);

  // Of a state that has covered the words before `first` and these from there on.
  bool dead(int32_t first, int32_t at, uint64_t covered) const noexcept {
    const Completions& some = cells_[cell(first, at)];
    const auto last = space_.prefixes ? static_cast<int32_t>(std::bit_width(covered)) : 64;
    return (covered & some.must) != 0 || (first_words(last) & ~(covered | some.may)) != 0;
  }

 private:
  // Default: no completion exists, so any state with an uncovered word is dead.
  struct Completions {
    uint64_t may = 0, must = ~uint64_t{0};
    bool any() const noexcept { return may != 0; }
    void add(uint64_t words, const Completions& then) noexcept {
      may |= words | then.may;
      must &= words | then.must;
    }
  };

  size_t cell(int32_t first, int32_t at) const noexcept {
    return static_cast<size_t>(at) * (space_.length + size_t{1}) + first;
  }
  void add_as_first(const GoldPhrase& phrase);
  void add_as_later(const GoldPhrase& phrase);
  void add_empty(std::span<const GoldPhrase> phrases);

  Space space_{};
  std::vector<Completions> cells_;
  std::vector<GoldPhrase> empty_;  // of a position, without target words
};

}  // namespace demotic::force
