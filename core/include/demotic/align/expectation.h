// The E-step: a pass over the bitext that computes expected counts from the parameters.
//
// Sentence pairs are divided into chunks of similar work, and the chunks into blocks. Within a
// block, threads first compute the posteriors of its chunks, then add them to the counts, each
// thread for its own share of the words: additions to every count are in sentence order, and
// statistics are added in chunk order, so the result is bit-identical for any number of threads.
// Memory beyond the tables: one block of posteriors.
//
// Another process can compute the posteriors of some chunks: `posteriors` are its bytes, which
// `add` reads. Since posteriors are added one by one as above, it makes no difference which
// process computed them.
#pragma once

#include <functional>
#include <span>
#include <string>

#include "demotic/align/sentence.h"

namespace demotic::align {

class Expectation {
 public:
  // The references must outlive it.
  Expectation(const Bitext& bitext, const PairTable& table, const CellIndex& index, bool agree,
              ThreadPool& pool);

  int64_t chunks() const noexcept { return static_cast<int64_t>(bounds_.size()) - 1; }

  // Adds all chunks to the counts, which `normalize` clears.
  PassStatistics pass(const Positions& positions, const Lexicon& lexicon, ExpectedCounts& counts,
                      const StopFlag& stop, Progress& progress);

  // The posteriors and statistics of the chunks from `first` to `last`.
  std::string posteriors(int64_t first, int64_t last, const Positions& positions,
                         const Lexicon& lexicon, const StopFlag& stop);
  // Adds `posteriors` of these chunks to the counts and statistics. A pass adds all chunks in
  // order. Throws FormatError if the bytes have another size.
  void add(int64_t first, int64_t last, std::span<const char> posteriors,
           const Positions& positions, ExpectedCounts& counts, PassStatistics& statistics,
           const StopFlag& stop);

 private:
  struct Chunk {
    size_t begin, end;               // indices of used pairs
    std::vector<float> floats{};     // their grids
    std::vector<PairIndex> cells{};  // of the pairs that are not in the index
    PassStatistics statistics{};
  };
  // Fills in the posteriors and statistics of a chunk that is laid out, given its number.
  using Fill = std::function<void(Chunk&, size_t chunk, int worker)>;

  void add_chunks(size_t first, size_t last, const Fill& fill, ExpectedCounts& counts,
                  PassStatistics& statistics, const StopFlag& stop, Progress& progress);
  Chunk at(size_t chunk) const { return {bounds_[chunk], bounds_[chunk + 1]}; }
  void lay_out(Chunk& chunk) const;
  void find(Chunk& chunk, const Positions& positions, const Lexicon& lexicon,
            HmmScratch& scratch) const;
  void count(const Chunk& chunk, int64_t share, int64_t shares, ExpectedCounts& counts) const;
  size_t packed_size(size_t chunk, size_t widths) const;
  void pack(const Chunk& chunk, std::string& out) const;
  void unpack(const char* from, size_t widths, Chunk& chunk) const;
  // Calls visit(source, target, cells, grids) for each pair of a chunk whose buffers are filled.
  template <typename Visit>
  void visit_pairs(const Chunk& chunk, Visit&& visit) const;

  const Bitext& bitext_;
  const CellIndex& index_;
  bool agree_;
  ThreadPool& pool_;
  std::optional<PairFinder> finder_;  // if some pairs are not in the index
  std::vector<size_t> bounds_;        // boundaries of the chunks
  std::vector<Chunk> block_;
  std::vector<HmmScratch> scratch_;
};

template <typename Visit>
void Expectation::visit_pairs(const Chunk& chunk, Visit&& visit) const {
  auto* floats = const_cast<float*>(chunk.floats.data());
  const PairIndex* found = chunk.cells.data();
  for (size_t pair = chunk.begin; pair < chunk.end; ++pair) {
    const auto source = bitext_.source_of(pair), target = bitext_.target_of(pair);
    const auto stored = index_.of(pair, bitext_.cells_of(pair));
    visit(source, target, stored.empty() ? found : stored.data(),
          make_grids(source, target, floats));
    if (stored.empty()) found += bitext_.cells_of(pair);
    floats += grid_floats(source.size(), target.size());
  }
}

}  // namespace demotic::align
