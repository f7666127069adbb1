// Forced decoding: all derivations of a sentence that yield its reference, exactly (Yu et al. 2013,
// section 2.2; Zhao et al. 2014, section 3.2). No weights, no beam, no language model. A state has
// positions in the reference rather than its words, so that repeated words are told apart.
//
// Settings and results that do not depend on the kind of search.
#pragma once

#include <cstdint>

#include "demotic/namespaces.h"

namespace demotic::force {

enum class Outcome : uint8_t {
  kReachable,    // the whole pair
  kPrefix,       // only a prefix of it
  kUnreachable,  // neither, or no prefix that is long enough
  kUndecided,    // a cap was hit: nothing is known, or nothing about prefixes if there is a cause
};

// Why a pair is not reachable as a whole; the first that applies.
enum class Cause : uint8_t {
  kNoCause,
  kUnknownWord,    // a source word that is in no rule and cannot be copied to the reference
  kUncoveredWord,  // a word of either side that is in no rule matching both sides
  kLimit,          // reachable without the distortion limit or the span limit
  kOther,          // rules cover all words of both sides, but no derivation covers all of them
  kUndecided,      // one of the last two: the search without the limit hit its cap
};

enum class Prefixes : uint8_t { kNoPrefixes, kLongest, kMaximal };

struct ForceOptions {
  int32_t distortion_limit = 6;               // phrases; -1 for none
  bool gap_test = true;                       // phrases
  int32_t span_limit = 20;                    // Hiero; 0 for none
  Prefixes prefixes = Prefixes::kNoPrefixes;  // phrases: kept for unreachable pairs
  int32_t min_source_words = 5;               // minimum length of a prefix
  int64_t max_nodes = 1'000'000;              // states explored per pair; beyond it: undecided
  bool find_cause = true;                     // search again without the limit
};

}  // namespace demotic::force
