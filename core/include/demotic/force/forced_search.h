// Forced decoding: all derivations of a sentence that yield its reference, exactly (Yu et al. 2013,
// section 2.2; Zhao et al. 2014, section 3.2). No weights, no beam, no language model. A state has
// positions in the reference rather than its words, so that repeated words are kept apart. What
// phrases and Hiero have in common.
#pragma once

#include <cstdint>
#include <vector>

#include "demotic/force/gold_forests.h"

namespace demotic::force {

enum class Reached : uint8_t {
  kWhole,      // the whole pair
  kBeginning,  // only a beginning of it
  kNot,        // nothing, or no beginning that is long enough
  kUndecided,  // a cap was hit: nothing is known, or of beginnings if there is a cause
};

// Why a pair is not reached as a whole; the first that applies.
enum class Cause : uint8_t {
  kNoCause,
  kUnknownWord,    // a source word that no rule has, and that is not copied to the reference
  kUncoveredWord,  // a word of either side that no rule which matches both sides contains
  kLimit,          // reached with an unlimited distortion, or without the span limit
  kOther,          // rules cover all words of both sides, but never all together
  kUndecided,      // one of the last two: the search without a limit hit its cap
};

enum class Beginnings : uint8_t { kNoBeginnings, kLongest, kMaximal };

struct ForceOptions {
  int32_t distortion_limit = 6;                       // phrases; -1: unlimited
  bool gap_test = true;                               // phrases
  int32_t span_limit = 20;                            // Hiero; 0: all
  Beginnings beginnings = Beginnings::kNoBeginnings;  // of unreachable pairs
  int32_t min_source_words = 5;                       // of a beginning
  int64_t max_nodes = 1'000'000;                      // that are looked at; more: undecided
  bool find_cause = true;                             // whether kLimit is told from kOther
};

// A forest in the making; see GoldForest.
struct FoundForest {
  int32_t source_length = 0, target_length = 0;
  bool whole = false;
  std::vector<GoldNode> nodes;
  std::vector<uint32_t> edge_offsets;
  std::vector<GoldEdge> edges;
};

struct ForcedResult {
  Reached reached = Reached::kNot;
  Cause cause = Cause::kNoCause;
  std::vector<FoundForest> forests;  // of the whole, or of beginnings
};

}  // namespace demotic::force
