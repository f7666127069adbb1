// The E-step: a pass over the bitext that turns parameters into expected counts.
//
// Sentence pairs are cut into chunks of about equal work, and the chunks into blocks. Within a
// block threads first find the posteriors of its chunks, then add them to the counts, each thread
// for its own share of the words: every count gets its additions in the order of the sentences, and
// statistics are added in the order of the chunks, so the bits do not depend on the number of
// threads. Memory beyond the tables: one block of posteriors.
#pragma once

#include "demotic/align/sentence.h"

namespace demotic::align {

class Expectation {
 public:
  Expectation(const Bitext& bitext, const IndexedPairs& pairs, bool agree, ThreadPool& pool);

  // Adds to the counts, which `normalize` empties.
  PassStatistics pass(const Positions& positions, const Lexicon& lexicon, ExpectedCounts& counts,
                      const StopFlag& stop, Progress& progress);

 private:
  struct Chunk {
    size_t begin, end;               // used pairs
    std::vector<float> floats{};     // their grids
    std::vector<PairIndex> cells{};  // of the pairs that the index does not hold
    PassStatistics statistics{};
  };

  void find(Chunk& chunk, const Positions& positions, const Lexicon& lexicon, HmmScratch& scratch);
  void count(const Chunk& chunk, int64_t share, int64_t shares, ExpectedCounts& counts) const;
  // Calls visit(source, target, cells, grids) for each pair of a chunk whose buffers are ready.
  template <typename Visit>
  void visit_pairs(const Chunk& chunk, Visit&& visit) const;

  const Bitext& bitext_;
  const IndexedPairs& pairs_;
  bool agree_;
  ThreadPool& pool_;
  std::optional<PairFinder> finder_;  // if some pairs are not in the index
  std::vector<size_t> bounds_;        // of the chunks
  std::vector<Chunk> block_;
  std::vector<HmmScratch> scratch_;
};

}  // namespace demotic::align
