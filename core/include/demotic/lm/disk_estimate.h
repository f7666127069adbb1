// The estimation of estimate.h for text that is larger than memory: n-grams are sorted on disk, as
// by Heafield, Pouzyrevsky, Clark & Koehn (2013), and the model is written as ARPA while it is
// estimated, or as a binary file (disk_build.h). It is the same, bit by bit, as the model estimated
// in memory.
//
//   1  every position's n-gram of the highest order, shorter at the end of a sentence, is sorted by
//      its words; one pass over the result counts the n-grams of all orders
//   2  sorted by suffix, the n-grams of one order count the left neighbours of the order below
//   3  n-grams of one context are neighbours: discounts, backoffs, and the undiscounted part of
//      each probability
//   4  sorted by suffix, they meet the probabilities of the order below, with which they are
//      interpolated; sorted by words again, they meet their backoffs
//
// Other processes can do the first step: each counts the n-grams that begin with some of the words,
// and files of theirs, one after another, are the sorted n-grams.
//
// Memory: the limit, the vocabulary and 20 bytes per word of it, and the words after one context.
// Disk: about 100 bytes (order 4 and below; else 200) per distinct n-gram.
#pragma once

#include <memory>
#include <string>

#include "demotic/base/block_pool.h"
#include "demotic/lm/estimate.h"

namespace demotic::lm {

struct DiskOptions {
  size_t memory = size_t{1} << 30;                                    // bytes for sorting
  std::string folder = ".";                                           // for unnamed files
  int threads = 1;                                                    // change nothing but time
  std::shared_ptr<BlockPool> blocks = std::make_shared<BlockPool>();  // of all sorters
};

struct DiskReport : KneserNeyReport {
  std::vector<uint64_t> ngrams;  // by order, without those that were pruned
};

class DiskEstimator {
 public:
  // Throws std::invalid_argument for bad options.
  static std::unique_ptr<DiskEstimator> make(const KneserNeyOptions& options,
                                             const DiskOptions& disk);
  virtual ~DiskEstimator() = default;

  // More text, encoded with a vocabulary that may grow from call to call.
  virtual void add(const Corpus& text, const StopFlag& stop) = 0;
  // Instead of text, for orders from 2: a file that `count_ngram_part` wrote, which must not change
  // before the end. Call it for all parts, in the order of their words.
  virtual void add_counted(const std::string& path) = 0;
  virtual const DiskOptions& disk() const noexcept = 0;
  // Gives the model to `output`. Throws ModelError if there was no text. Call once.
  virtual DiskReport finish(const Vocabulary& vocabulary, NgramOutput& output, const StopFlag& stop,
                            Progress& progress) = 0;
};

// The n-grams of a text that begin with the words from `first` to `last`.
struct NgramPart {
  std::string tokens;  // a file: all sentences with <s> and </s>, 4 bytes per word
  int order;           // from 2
  uint32_t first, last;
};

// Writes them to `path`, counted and sorted. Time: reads all tokens, sorts those of the part.
// Throws IoError, std::invalid_argument.
void count_ngram_part(const NgramPart& part, const DiskOptions& disk, const std::string& path,
                      const StopFlag& stop);

}  // namespace demotic::lm
