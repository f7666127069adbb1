// Word classes from bigrams: Brown et al. 1992, "Class-based n-gram models of natural language",
// in the windowed greedy form of Liang 2005 (Semi-supervised learning for natural language, 4.2).
//
// Words enter a window by falling frequency (ties: lower id), each as a class of its own. When the
// window holds one class too many, the two whose union loses least of
//
//   I = sum over classes a, b in the window of  p(a b) ln( p(a b) / (p(a .) p(. b)) )
//
// are merged; p is relative to all counted pairs, so I is the average mutual information of
// neighbouring classes once every word is in. At last the remaining classes are merged to one in
// the same way, and the path of a class in that tree is its bit string.
//
// What counts as a pair: two words of one sentence, side by side, that both get a class. Sentence
// ends are no words, so pairs never cross them (wcluster reads a text as one long line instead).
// Reserved ids, words rarer than `min_count` and those beyond `max_words` get no class.
// A word without any pair loses nothing anywhere and so joins the class of the most frequent word.
//
// Ties go to the pair whose classes hold the more frequent words. Losses are sums of whole numbers
// (x ln x, each rounded once to fixed point), so tables can be updated for ever without drift, and
// the result depends on no order of additions.
//
// Cost: every step changes only table cells that its words' neighbours can reach, so V words in C
// classes take at most O(V C^2) and for a Zipfian text less. Memory: 32 C^2 bytes + 4 a pair.
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
  int64_t classes = 200;  // how many; as many as words if there are fewer
  int64_t min_count = 1;  // occurrences a word needs to get a class
  int64_t max_words = 0;  // so many of the most frequent words get a class; 0: all
};

// A class is named by its most frequent word.
struct BrownMerge {
  WordId kept;
  WordId gone;
  double loss;  // nats of average mutual information
};

struct BrownClusters {
  std::vector<int32_t> word_class;  // by WordId; classes in the order of their bit strings
  std::vector<int64_t> counts;      // by WordId: occurrences
  std::vector<std::string> bits;    // by class; no one is the beginning of another
  std::vector<BrownMerge> merges;   // all of them; the last bits.size() - 1 make the tree
  double information = 0;           // average mutual information of the classes, in nats
  int64_t pairs = 0;                // counted pairs
};

// `words` is the vocabulary's size. Progress counts insertions and the merges of the tree. Throws
// std::invalid_argument for options out of range, std::out_of_range for ids beyond `words`,
// ModelError for more than 2^32 - 1 pairs, Interrupted.
BrownClusters brown_clusters(const Corpus& corpus, WordId words, const BrownOptions& options,
                             const StopFlag& stop, Progress& progress);

}  // namespace demotic::text
