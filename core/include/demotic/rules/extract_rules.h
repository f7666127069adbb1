// Makes a rule store from an aligned bitext: extracts, counts, scores and writes rules.
//
// Two sorts, each of which may spill to disk, so that the rules of a bitext need not fit in memory:
// occurrences by target side and rule give counts, orientations, the most frequent alignment and
// the totals of target sides; rules by source side give the totals of source sides and the order of
// the trie. Sentences are processed in parallel and collected in order: the result depends neither
// on the number of threads nor on the memory limit.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "demotic/base/progress.h"
#include "demotic/base/stop.h"
#include "demotic/rules/hiero_extract.h"
#include "demotic/rules/lexical_table.h"

namespace demotic::rules {

enum class RuleKind { kPhrase, kHiero };
enum class ReorderingModel { kNone, kBackward, kBidirectional };
enum class OrientationModel { kWord, kHierarchical };
enum class Smoothing { kNone, kGoodTuring, kKneserNey };  // see src/rules/rule_smoothing.h

struct ExtractOptions {
  RuleKind kind = RuleKind::kPhrase;
  int32_t max_phrase = 7;  // maximum phrase length in words, on either side
  bool tight = false;      // exclude phrases with unaligned words at their edges
  HieroExtractOptions hiero;
  ReorderingModel reordering = ReorderingModel::kBidirectional;  // phrases only
  OrientationModel orientation = OrientationModel::kWord;
  double reordering_smoothing = 0.5;      // added to the count of each orientation
  std::vector<std::string> extra_scores;  // names from src/rules/extra_scores.cpp
  int32_t min_count = 1;                  // rules seen less often are removed after counting
  // Rules with a lower significance than the logarithm of the number of pairs plus this are removed
  // after counting, see significance.h; with keep_word_pairs, only if they have several source
  // words.
  double significance = -std::numeric_limits<double>::infinity();
  // Keep all rules of one word on each side, whatever their count (Zhao et al. 2014, section 4.2).
  bool keep_word_pairs = true;
  Smoothing smoothing = Smoothing::kNone;  // of rule probabilities
  int32_t distortion_sentences = 10000;    // first ones, in which gaps are counted; 0 for all
  int64_t memory = int64_t{1} << 30;       // bytes for the packed bitext and sorting
  int threads = 1;
};

struct ExtractReport {
  int64_t sentences = 0;
  int64_t too_long = 0;     // sentences over kMaxExtractLength
  int64_t occurrences = 0;  // in all sets of links
  int64_t rules = 0;        // distinct rules
  int64_t removed = 0;      // rules removed by their counts or significance
  DistortionCounts distortion;
};

// Scores written: p(s|t), lex(s|t), p(t|s), lex(t|s) as natural logs in Moses' order, then for
// phrases the reordering scores (backward monotone, swap, discontinuous; forward the same), then
// the extra ones. Scratch files are in the folder of `path`. Throws ModelError, IoError,
// Interrupted, std::invalid_argument for an unknown extra score.
ExtractReport extract_rules(const AlignedBitext& bitext, const LexicalTable& lexicon,
                            const std::string& path, const ExtractOptions& options,
                            const StopFlag& stop, Progress& progress);

// The same for phrase pairs that were extracted elsewhere: each sentence pair is one whole rule
// without gaps.
ExtractReport score_pairs(const AlignedBitext& pairs, const LexicalTable& lexicon,
                          const std::string& path, const ExtractOptions& options,
                          const StopFlag& stop, Progress& progress);

}  // namespace demotic::rules
