// The derivations of a hypothesis of Hiero search, best first, worked out as far as they are asked
// for (Huang & Chiang 2005, algorithm 3) on the search's own arrays: no forest is built for the few
// hypotheses that learners look into. The search must have been recorded. One object a thread.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "demotic/base/flat_map.h"
#include "demotic/search/hiero_search.h"

namespace demotic::search {

class HieroKBest {
 public:
  // Begins with another search.
  void reset(HieroSearch& search);

  struct Derivation {
    float score = 0;
    uint32_t option = kNone;
    std::array<uint32_t, kMaxGaps> tails{kNone, kNone};  // hypotheses
    std::array<uint32_t, kMaxGaps> ranks{};              // which of their derivations
  };
  // The derivation number `rank` of a hypothesis, from 0; null if it has fewer. Valid until the
  // next call.
  const Derivation* find(uint32_t hypothesis, uint32_t rank);

  // visit(option, hypothesis) for every rule of a derivation, heads before tails.
  template <typename Visit>
  void for_each_step(uint32_t hypothesis, uint32_t rank, Visit&& visit) {
    const Derivation derivation = *find(hypothesis, rank);
    visit(derivation.option, hypothesis);
    for (int i = 0; i < kMaxGaps; ++i)
      if (derivation.tails[i] != kNone)
        for_each_step(derivation.tails[i], derivation.ranks[i], visit);
  }
  void append_words(const HieroModel& model, uint32_t hypothesis, uint32_t rank,
                    std::span<const WordId> source, std::vector<WordId>& words);

 private:
  struct List {
    std::vector<Derivation> found;
    std::vector<Derivation> waiting;  // neighbours of those found, and ways not yet used
    uint32_t extended = 0;            // of found: whose neighbours are waiting
  };

  List& list_of(uint32_t hypothesis);
  void add_ways(uint32_t hypothesis, List& list);
  void add_way(List& list, uint32_t option, const std::array<uint32_t, kMaxGaps>& tails);
  void extend(uint32_t hypothesis);

  HieroSearch* search_ = nullptr;
  FlatMap<uint32_t, uint32_t> numbers_;
  std::vector<List> lists_;
};

}  // namespace demotic::search
