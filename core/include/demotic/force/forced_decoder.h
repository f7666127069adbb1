// Forced decoding of one pair: whether its reference is reachable, by which derivations, or why
// not. Not thread-safe; use one instance per thread.
//
// Kind::ForcedSearch finds the derivations:
//   begin(source, sentence)  prepares a pair; false if it is too large to be decided
//   word_cause()             kUnknownWord or kUncoveredWord if a word rules out all derivations
//   run(stop)                searches within the limits of the options; false if a cap was hit
//   limited()                whether the limits have excluded anything and may be lifted
//   run_unlimited(stop)      the same without distortion limit or span limit
//   reachable(), forest()    what the last search has found
//   has_uncovered_word()     whether a word is in no rule that the last search could use
#pragma once

#include <vector>

#include "demotic/force/force_options.h"
#include "demotic/force/found_forest.h"
#include "demotic/force/hiero_forced_search.h"
#include "demotic/force/phrase_forced_search.h"
#include "demotic/search/kinds.h"

namespace demotic::force {

// The kinds of search with what forced decoding adds to them.
struct PhraseForcing : PhraseKind {
  using ForcedSearch = PhraseForcedSearch;
  static constexpr bool kPrefixes = true;  // derivations are built from left to right
};
struct HieroForcing : HieroKind {
  using ForcedSearch = HieroForcedSearch;
  static constexpr bool kPrefixes = false;
};

struct ForcedResult {
  Outcome outcome = Outcome::kUndecided;
  Cause cause = Cause::kNoCause;
  std::vector<FoundForest> forests;  // of the whole pair, or of prefixes
};

template <typename Kind>
class ForcedDecoder {
 public:
  ForcedDecoder(const typename Kind::Model& model, const ForceOptions& options)
      : options_(options), search_(model, options) {}

  // The sentence must have a reference. If the number of its pair in the bitext is known, rules
  // that were seen in this pair alone are not used.
  ForcedResult run(const SourceSentences& source, size_t sentence, const StopFlag& stop);

 private:
  Cause cause(const StopFlag& stop);
  void add_prefixes(ForcedResult& result, const StopFlag& stop);

  const ForceOptions options_;
  typename Kind::ForcedSearch search_;
};

}  // namespace demotic::force
