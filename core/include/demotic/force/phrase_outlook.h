// What may come of a state of PhraseForce, by its first open word and its place in the reference
// alone: the source words that some way to the goal covers from there on, and those that every way
// does. A state is dead if it has an open word that no way covers, or has covered one that every
// way needs. No derivation is lost by dropping it.
//
// Found from the last place to the first, by the rules of the search itself but for the distance
// between phrases and for what was covered before. Time: phrases times words within reach. Sets are
// 64 words from the first open one on; of words behind them nothing is said.
//
// One object a thread.
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "demotic/force/forced_coverage.h"
#include "demotic/force/gold_phrases.h"

namespace demotic::force {

class PhraseOutlook {
 public:
  struct Space {
    int32_t length, reference_length;
    int32_t reach;    // how far behind the first open word phrases end that do not cover it
    bool beginnings;  // any state that has covered the first words and no others is a goal
  };
  // Of larger pairs nothing can be said: source times reference words, 16 bytes each.
  static constexpr int64_t kMaxCells = int64_t{1} << 22;

  // Of the phrases arranged.
  void build(const GoldPhrases& phrases, const Space& space);

  // Of a state that has covered the words before `first` and these from there on.
  bool dead(int32_t first, int32_t at, uint64_t covered) const noexcept {
    const Ways& ways = cells_[cell(first, at)];
    const auto last = space_.beginnings ? static_cast<int32_t>(std::bit_width(covered)) : 64;
    return (covered & ways.must) != 0 || (first_words(last) & ~(covered | ways.may)) != 0;
  }

 private:
  // As it stands there is no way: whoever has covered nothing has a word that no way covers.
  struct Ways {
    uint64_t may = 0, must = ~uint64_t{0};
    bool any() const noexcept { return may != 0; }
    void add(uint64_t words, const Ways& then) noexcept {
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
  std::vector<Ways> cells_;
  std::vector<GoldPhrase> empty_;  // of a place, without target words
};

}  // namespace demotic::force
