// Forced search of phrases, exact (Yu et al. 2013, section 2.2). A state is (covered words, end of
// the last phrase, words of the reference so far); the space is that of PhraseSearch without a rule
// limit: the distortion limit and the gap test mean the same.
//
// States are expanded by places of the reference, and there by covered words, so that all that
// leads to a state is known when its turn comes, empty target sides included. A state is dropped as
// soon as an open source word has no phrase at a later place; no derivation is lost by that. A pass
// backwards keeps what is part of a complete derivation.
//
// Time is linear in the length with a distortion limit and the gap test, else up to exponential.
// One object a thread.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "demotic/base/flat_map.h"
#include "demotic/base/stop.h"
#include "demotic/search/coverage.h"
#include "demotic/search/forced_search.h"
#include "demotic/search/gold_phrases.h"
#include "demotic/search/phrase_model.h"

namespace demotic {

class PhraseForce {
 public:
  PhraseForce(const PhraseModel& model, const ForceOptions& options);

  // The sentence must have a reference. Sides longer than 65,535 words are undecided.
  ForcedResult run(const SourceSentences& source, size_t sentence, const StopFlag& stop);

 private:
  enum class Aim : uint8_t {
    kWhole,
    kWhether,  // the same, but ends of phrases are not told apart
    kBeginnings,
  };
  struct State {
    CoverageId coverage;
    uint16_t end;  // of the last phrase
    uint16_t at;   // words of the reference so far
    uint16_t covered;
    uint32_t next;  // in the list of its layer
  };
  struct Arc {
    uint32_t from, phrase, to;
  };
  struct Key {
    CoverageId coverage;
    uint16_t end, at;
    friend bool operator==(const Key&, const Key&) = default;
  };
  struct KeyHash {
    uint64_t operator()(const Key& key) const noexcept {
      return mix64(uint64_t{key.coverage} << 32 | uint32_t{key.end} << 16 | key.at);
    }
  };
  using Beginning = std::pair<int32_t, int32_t>;  // source and target words

  Cause cause(const StopFlag& stop);
  bool search(Aim aim, int32_t distortion_limit, int64_t max_nodes, const StopFlag& stop);
  bool expand_layer(int32_t place, const StopFlag& stop);
  void expand(uint32_t state);
  bool loses_a_word(const State& state, const GoldPhrase& phrase) const noexcept;
  void reach(uint32_t from, const GoldPhrase& phrase);
  bool found_whole() const noexcept;
  std::vector<Beginning> beginnings() const;
  FoundForest forest(Beginning goal, bool whole);
  void mark_used(Beginning goal);

  const ForceOptions options_;
  GoldPhrases phrases_;
  CoverageTable coverage_;

  int32_t length_ = 0, reference_length_ = 0;
  Aim aim_ = Aim::kWhole;
  int32_t distortion_limit_ = 0;
  int64_t max_nodes_ = 0;
  std::vector<State> states_;
  std::vector<Arc> arcs_;           // by `from`, in the order of expansion
  std::vector<uint32_t> expanded_;  // states in that order, which is topological
  std::vector<uint32_t> layers_;    // by place: the last state that was found there
  std::vector<uint32_t> bins_;      // of the layer being expanded, by covered words
  FlatMap<Key, uint32_t, KeyHash> ids_;
  std::vector<uint8_t> used_;
  std::vector<uint32_t> nodes_;  // by state
};

}  // namespace demotic
