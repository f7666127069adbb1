// The search of forced phrase decoding (Yu et al. 2013, section 2.2). A state is (covered words,
// end of the last phrase, words of the reference so far). The space is that of PhraseSearch without
// a rule limit: distortion limit and gap test mean the same.
//
// States are expanded by position in the reference, then by number of covered words, so that all
// arcs into a state are known before it is expanded, those of empty target sides included. Only
// then are arcs into the same state recombined, in a table that is as small as a bin. Arcs into
// states that cannot be completed (see PhraseLookahead) are dropped at once.
//
// With a distortion limit and the gap test the number of states is linear in the length, otherwise
// up to exponential. Not thread-safe; use one instance per thread.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "demotic/base/flat_map.h"
#include "demotic/base/stop.h"
#include "demotic/force/force_options.h"
#include "demotic/force/forced_coverage.h"
#include "demotic/force/found_forest.h"
#include "demotic/force/gold_phrases.h"
#include "demotic/force/phrase_lookahead.h"
#include "demotic/search/coverage.h"
#include "demotic/search/phrase_model.h"

namespace demotic::force {

// Functions: see ForcedDecoder.
class PhraseForcedSearch {
 public:
  PhraseForcedSearch(const PhraseModel& model, const ForceOptions& options)
      : options_(options), phrases_(model) {}

  // False for sides of more than 65,535 words and for pairs that are too large for the look-ahead.
  bool begin(const SourceSentences& source, size_t sentence);
  Cause word_cause() const noexcept;
  bool run(const StopFlag& stop);
  bool limited() const noexcept { return selected_ && options_.distortion_limit >= 0; }
  bool run_unlimited(const StopFlag& stop);
  bool reachable() const noexcept;
  FoundForest forest() const { return forest({length_, reference_length_}, true); }
  bool has_uncovered_word() const noexcept { return !phrases_.covers_both(); }

  // Finds all prefixes; false if a cap was hit.
  bool run_prefixes(const StopFlag& stop);
  // Of the prefixes that the options ask for, longest source side first.
  std::vector<FoundForest> prefix_forests() const;

 private:
  enum class Aim : uint8_t {
    kPair,
    kWhether,  // the pair, but ends of phrases are not told apart
    kPrefixes,
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
    uint32_t to;  // the state; before there is one, the next arc in the list of its layer or bin
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
  using Prefix = std::pair<int32_t, int32_t>;  // source and target words

  bool search(Aim aim, int32_t distortion_limit, int64_t max_nodes, const StopFlag& stop);
  template <typename Coverage>
  bool expand_all(const Coverage& coverage, const StopFlag& stop);
  void fill_bins(int32_t position);
  void recombine(int32_t position, int32_t covered);
  template <typename Coverage>
  void expand(uint32_t state, const Coverage& coverage);
  void add_arc(uint32_t from, const GoldPhrase& phrase, const Covered& covered);
  uint16_t covered_by(const Arc& arc) const noexcept;
  std::vector<Prefix> prefixes() const;
  FoundForest forest(Prefix goal, bool whole) const;

  const ForceOptions options_;
  GoldPhrases phrases_;
  PhraseLookahead lookahead_;
  CoverageTable coverage_;

  int32_t length_ = 0, reference_length_ = 0;
  bool selected_ = false;  // whether phrases for the whole pair cover its source
  Aim aim_ = Aim::kPair;
  int32_t distortion_limit_ = 0;
  int64_t max_nodes_ = 0;
  std::vector<State> states_;     // in the order of expansion, which is topological
  std::vector<Arc> arcs_;         // by `from`
  std::vector<uint32_t> layers_;  // by position: the last arc that leads there
  std::vector<uint32_t> bins_;    // of the layer being expanded, by covered words: the first arc
  FlatMap<Key, uint32_t, KeyHash> ids_;
};

}  // namespace demotic::force
