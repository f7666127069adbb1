// The potential of a partial hypothesis: the words that complete it without further search, by
// which search-aware tuning evaluates it (Liu & Huang 2014, section 3). Use one object per searched
// sentence.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "demotic/search/kinds.h"

namespace demotic::search {

// The words before and after those of a hypothesis.
struct Surroundings {
  std::vector<WordId> before, after;

  void clear() noexcept {
    before.clear();
    after.clear();
  }
};

// Phrases: the best monotone translations of the uncovered spans, from left to right, which are the
// phrases of the future cost, whether or not the search ranks by it.
class PhrasePotential {
 public:
  explicit PhrasePotential(const PhraseSteps& steps) : steps_(steps) {}

  void find(uint32_t bin, uint32_t hypothesis, Surroundings& around);
  // Adds the features of what the search ranks by in addition to the score.
  void add_future_features(uint32_t hypothesis, std::span<double> values) const;

 private:
  const PhraseSteps& steps_;
};

// Hiero: the best monotone concatenations of constituents from the first word to the bin, and from
// the bin to the last word. Hiero has no future cost.
class HieroPotential {
 public:
  explicit HieroPotential(const HieroSteps& steps);

  void find(uint32_t bin, uint32_t hypothesis, Surroundings& around);
  void add_future_features(uint32_t, std::span<double>) const {}

 private:
  struct Best {
    float score;
    int32_t from;         // next position of the path
    uint32_t hypothesis;  // kNone: no constituent begins or ends there, so a word is skipped
  };
  template <typename To, typename From>
  void fill(std::vector<Best>& best, int32_t start, int32_t goal,
            const std::vector<uint32_t>& order, To&& to, From&& from) const;

  const HieroSteps& steps_;
  std::vector<Best> before_, after_;  // by position
  uint32_t last_bin_ = kNone;         // the bin of the last request
};

}  // namespace demotic::search
