// The E-step: a pass over the bitext that computes expected counts from the parameters.
//
// Sentence pairs are divided into chunks of similar work, and the chunks into blocks. Within a
// block, threads first compute the posteriors of its chunks, then add them to the counts, each
// thread for its own share of the words: additions to every count are in sentence order, and
// statistics are added in chunk order, so the result is bit-identical for any number of threads.
// Memory beyond the tables: one block of posteriors.
#pragma once

#include "demotic/align/sentence.h"

namespace demotic::align {

class Expectation {
 public:
  Expectation(const Bitext& bitext, const IndexedPairs& pairs, bool agree, ThreadPool& pool);

  // Adds to the counts, which `normalize` clears.
  PassStatistics pass(const Positions& positions, const Lexicon& lexicon, ExpectedCounts& counts,
                      const StopFlag& stop, Progress& progress);

 private:
  struct Chunk {
    size_t begin, end;               // indices of used pairs
    std::vector<float> floats{};     // their grids
    std::vector<PairIndex> cells{};  // of the pairs that are not in the index
    PassStatistics statistics{};
  };

  void find(Chunk& chunk, const Positions& positions, const Lexicon& lexicon, HmmScratch& scratch);
  void count(const Chunk& chunk, int64_t share, int64_t shares, ExpectedCounts& counts) const;
  // Calls visit(source, target, cells, grids) for each pair of a chunk whose buffers are filled.
  template <typename Visit>
  void visit_pairs(const Chunk& chunk, Visit&& visit) const;

  const Bitext& bitext_;
  const IndexedPairs& pairs_;
  bool agree_;
  ThreadPool& pool_;
  std::optional<PairFinder> finder_;  // if some pairs are not in the index
  std::vector<size_t> bounds_;        // boundaries of the chunks
  std::vector<Chunk> block_;
  std::vector<HmmScratch> scratch_;
};

}  // namespace demotic::align
