// From an aligned bitext to a rule store: extract, count, score, write.
//
// Two sorts, each of which may spill to disk, so that a bitext larger than memory still builds:
// occurrences by target side and rule give counts, orientations, the most frequent alignment and
// the target sides' totals; rules by source side give the source sides' totals and the order of
// the trie. Sentences are worked on in parallel and collected in order: the result does
// not depend on the number of threads nor on the memory allowed.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "demotic/base/progress.h"
#include "demotic/base/stop.h"
#include "demotic/rules/hiero_extract.h"
#include "demotic/rules/lexical_table.h"

namespace demotic::rules {

enum class RuleKind { kPhrase, kHiero };
enum class ReorderingModel { kNone, kBackward, kBidirectional };

struct ExtractOptions {
  RuleKind kind = RuleKind::kPhrase;
  int32_t max_phrase = 7;  // words of a phrase, on either side
  bool tight = false;      // phrases without unaligned edge words
  HieroOptions hiero;
  ReorderingModel reordering = ReorderingModel::kBidirectional;  // phrases only
  double reordering_smoothing = 0.5;      // added to each orientation's count
  std::vector<std::string> extra_scores;  // names of src/rules/extra_scores.cpp
  int32_t min_count = 1;                  // rules seen less often are removed after counting
  bool keep_word_pairs = true;  // but not those of one source and one target word (Z14-4.2a)
  int32_t distortion_sentences = 10000;  // that give the structural-distortion counts
  int64_t memory = int64_t{1} << 30;     // bytes for the packed bitext and sorting
  int threads = 1;
};

struct ExtractReport {
  int64_t sentences = 0;
  int64_t too_long = 0;  // sentences over kMaxExtractLength
  int64_t occurrences = 0;
  int64_t rules = 0;    // different ones
  int64_t removed = 0;  // of them, by min_count
  DistortionCounts distortion;
};

// Scores written: p(s|t), lex(s|t), p(t|s), lex(t|s) as natural logs in Moses' order, then for
// phrases the reordering's (backward monotone, swap, discontinuous; forward the same), then the
// extra ones. Scratch files go to the folder of `path`. Throws ModelError, IoError, Interrupted,
// std::invalid_argument for an extra score that there is not.
ExtractReport extract_rules(const AlignedBitext& bitext, const LexicalTable& lexicon,
                            const std::string& path, const ExtractOptions& options,
                            const StopFlag& stop, Progress& progress);

// The same from phrase pairs that somebody else has extracted: each sentence pair is one whole rule
// without gaps.
ExtractReport score_pairs(const AlignedBitext& pairs, const LexicalTable& lexicon,
                          const std::string& path, const ExtractOptions& options,
                          const StopFlag& stop, Progress& progress);

}  // namespace demotic::rules
