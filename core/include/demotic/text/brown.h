// Word classes from bigrams: Brown et al. 1992, "Class-based n-gram models of natural language",
// in the windowed greedy form of Liang 2005 (Semi-supervised learning for natural language, 4.2).
//
// Words enter a window by falling frequency (ties: lower id), each as a new class. When the window
// holds one class too many, the two classes whose union loses least of
//
//   I = sum over classes a, b in the window of  p(a b) ln( p(a b) / (p(a .) p(. b)) )
//
// are merged; p is relative to all counted bigrams, so I is the average mutual information of
// adjacent classes once every word is inserted. Finally the remaining classes are merged to one in
// the same way, and the path of a class in that tree is its bit string.
//
// Only bigrams of two adjacent words of one sentence that both get a class are counted. They never
// cross sentence ends (wcluster reads a text as one long line instead). Reserved ids, words rarer
// than `min_count` and words beyond `max_words` get no class. A word without any bigram loses
// nothing anywhere and so joins the class of the most frequent word.
//
// Ties go to the pair whose classes hold the more frequent words. Losses are sums of integers (x ln
// x, each rounded once to fixed point), so tables can be updated indefinitely without drift, and
// the result does not depend on the order of additions.
//
// Cost: every step changes only table cells that the word's neighbours affect, so V words in C
// classes take at most O(V C^2), and less for Zipfian text. Memory: 32 C^2 bytes + 4 per bigram.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "demotic/base/progress.h"
#include "demotic/base/stop.h"
#include "demotic/text/corpus.h"

namespace demotic::text {

inline constexpr int32_t kNoClass = -1;

// The defaults are those of BrownOptions in src/demotic/text/brown.py; a test compares them.
struct BrownOptions {
  int64_t classes = 200;  // number of classes, at most one per word
  int64_t min_count = 1;  // minimum occurrences of a word with a class
  int64_t max_words = 0;  // number of most frequent words to cluster; 0: all
};

// A class is identified by its most frequent word.
struct BrownMerge {
  WordId kept;
  WordId gone;
  double loss;  // nats of average mutual information
};

struct BrownClusters {
  std::vector<int32_t> word_class;  // by WordId; classes in the order of their bit strings
  std::vector<int64_t> counts;      // by WordId: occurrences
  std::vector<std::string> bits;    // by class; none is a prefix of another
  std::vector<BrownMerge> merges;   // all merges; the last bits.size() - 1 form the tree
  double information = 0;           // average mutual information of the classes, in nats
  int64_t pairs = 0;                // counted bigrams
};

// `words` is the size of the vocabulary. Progress counts insertions and the merges of the tree.
// Throws std::invalid_argument for options out of range, std::out_of_range for ids beyond `words`,
// ModelError for more than 2^32 - 1 bigrams, Interrupted.
BrownClusters brown_clusters(const Corpus& corpus, WordId words, const BrownOptions& options,
                             const StopFlag& stop, Progress& progress);

}  // namespace demotic::text
