// Forced search of phrases, exact (Yu et al. 2013, section 2.2). A state is (covered words, end of
// the last phrase, words of the reference so far); the space is that of PhraseSearch without a rule
// limit: the distortion limit and the gap test mean the same.
//
// States are expanded by places of the reference, and there by covered words, so that all that
// leads to a state is known when its turn comes, empty target sides included: only then are arcs
// into the same state brought together, in a table that is as small as a bin. Arcs into states that
// are dead (see PhraseOutlook) are dropped at once. A pass backwards keeps what is part of a
// complete derivation.
//
// There are linearly many states with a distortion limit and the gap test, else up to exponentially
// many.
// One object a thread.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "demotic/base/flat_map.h"
#include "demotic/base/stop.h"
#include "demotic/force/forced_coverage.h"
#include "demotic/force/forced_search.h"
#include "demotic/force/gold_phrases.h"
#include "demotic/force/phrase_outlook.h"
#include "demotic/search/coverage.h"
#include "demotic/search/phrase_model.h"

namespace demotic::force {

class PhraseForce {
 public:
  PhraseForce(const PhraseModel& model, const ForceOptions& options);

  // The sentence must have a reference. Pairs with a side longer than 65,535 words are undecided,
  // and those that are too large for an outlook.
  ForcedResult run(const SourceSentences& source, size_t sentence, const StopFlag& stop);

 private:
  enum class Aim : uint8_t {
    kWhole,
    kWhether,  // the same, but ends of phrases are not told apart
    kBeginnings,
  };
  struct State {
    uint64_t set;    // see Covered
    uint16_t first;  // open word
    uint16_t end;    // of the last phrase
    uint16_t at;     // words of the reference so far
    uint16_t covered;
  };
  struct Arc {
    uint64_t set;
    uint32_t from, phrase;
    uint32_t to;  // the state; before it has one, the next arc in the list of its layer or bin
    uint16_t first, end;
  };
  // Of the states of a bin.
  struct Key {
    uint64_t set;
    uint32_t end;
    friend bool operator==(const Key&, const Key&) = default;
  };
  struct KeyHash {
    uint64_t operator()(const Key& key) const noexcept {
      return mix64(key.set + key.end * 0x9e3779b97f4a7c15u);
    }
  };
  using Beginning = std::pair<int32_t, int32_t>;  // source and target words

  Cause cause(const StopFlag& stop);
  bool search(Aim aim, int32_t distortion_limit, int64_t max_nodes, const StopFlag& stop);
  template <typename Coverage>
  bool expand_all(const Coverage& coverage, const StopFlag& stop);
  void fill_bins(int32_t place);
  void make_states(int32_t place, int32_t covered);
  template <typename Coverage>
  void expand(uint32_t state, const Coverage& coverage);
  void reach(uint32_t from, const GoldPhrase& phrase, const Covered& covered);
  uint16_t covered_by(const Arc& arc) const noexcept;
  bool found_whole() const noexcept;
  std::vector<Beginning> beginnings() const;
  FoundForest forest(Beginning goal, bool whole);
  void mark_used(Beginning goal);

  const ForceOptions options_;
  GoldPhrases phrases_;
  PhraseOutlook outlook_;
  CoverageTable coverage_;

  int32_t length_ = 0, reference_length_ = 0;
  Aim aim_ = Aim::kWhole;
  int32_t distortion_limit_ = 0;
  int64_t max_nodes_ = 0;
  std::vector<State> states_;     // in the order of expansion, which is topological
  std::vector<Arc> arcs_;         // by `from`
  std::vector<uint32_t> layers_;  // by place: the last arc that leads there
  std::vector<uint32_t> bins_;    // of the layer being expanded, by covered words: the first arc
  FlatMap<Key, uint32_t, KeyHash> ids_;
  std::vector<uint8_t> used_;
  std::vector<uint32_t> nodes_;  // by state
};

}  // namespace demotic::force
