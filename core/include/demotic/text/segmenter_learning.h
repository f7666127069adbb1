// Learns the words of a unigram segmenter from unsegmented text by expectation maximisation and
// pruning (Kudo 2018, "Subword regularization", section 3.2), with a stopping rule instead of a
// vocabulary size.
//
// Candidates are the substrings of at most `max_units` units that occur at least `min_count` times
// and with at least two different neighbours on either side (accessor variety: Feng et al. 2004;
// the edge of a run counts as a new neighbour each time). EM maximises the likelihood of the text
// under
//
//   P(run) = sum over segmentations w1 ... wk of  p(w1) ... p(wk)
//
// and after every two steps, words that are not needed are pruned: with the expected count c(w) and
//
//   gain(w) = ln p(w) - ln p(best segmentation of w into other words)    nats per occurrence
//
// a word of several units is kept if gain(w) >= min_gain and c(w) gain(w) >= cost(w), the length in
// nats of its entry in a dictionary (minimum description length: de Marcken 1996), where its units
// are spelt one by one. A round prunes at most a quarter of the words, the least needed first,
// because the remaining words take over the counts of those pruned. Single units are always kept.
//
// Expected counts are summed in fixed point, so the number of threads only affects the time. Cost:
// O(n L) time per step for n units; memory grows with the candidates (32 bytes each).
#pragma once

#include <cstdint>
#include <vector>

#include "demotic/base/csr.h"
#include "demotic/base/progress.h"
#include "demotic/base/stop.h"
#include "demotic/text/corpus.h"

namespace demotic::text {

// The defaults are those of SegmenterOptions in src/demotic/text/segment.py; a test compares them.
struct SegmenterOptions {
  int64_t max_units = 8;  // longest word
  int64_t min_count = 2;  // occurrences that a candidate needs
  double min_gain = 4;    // nats per occurrence
  double cost = 8;        // weight of the dictionary against the text
};

struct LearntWords {
  Csr<WordId> words;              // unit ids; single units in order of their ids, then the others
  std::vector<double> log_probs;  // natural
};

// `runs` are the sequences to be segmented, as ids of units below `units`. Throws
// std::invalid_argument for options out of range, std::out_of_range for ids beyond `units`,
// ModelError for more than 2^31 - 1 substrings, Interrupted.
LearntWords learn_segmenter(const Corpus& runs, WordId units, const SegmenterOptions& options,
                            int threads, const StopFlag& stop, Progress& progress);

// The result of one E step, for tests: the expected count of every word in all segmentations of
// `runs`, and the log likelihood.
struct Expectations {
  std::vector<double> counts;  // by word of `model`
  double log_likelihood = 0;
};
Expectations expected_counts(const Corpus& runs, const LearntWords& model, int threads,
                             const StopFlag& stop);

}  // namespace demotic::text
