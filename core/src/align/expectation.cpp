#include "demotic/align/expectation.h"

#include <algorithm>

namespace demotic::align {
namespace {

constexpr int64_t kChunkCells = 1 << 13;
constexpr size_t kBlockChunks = 8;  // per thread, to keep several threads busy

}  // namespace

Expectation::Expectation(const Bitext& bitext, const PairTable& table, const CellIndex& index,
                         bool agree, ThreadPool& pool)
    : bitext_(bitext), index_(index), agree_(agree), pool_(pool), scratch_(pool.threads()) {
  bounds_.push_back(0);
  int64_t cells = 0;
  for (size_t pair = 0; pair < bitext.size(); ++pair) {
    cells += bitext.cells_of(pair);
    if (cells >= kChunkCells) {
      bounds_.push_back(pair + 1);
      cells = 0;
    }
    if (index.begin[pair] < 0 && !finder_) finder_.emplace(table);
  }
  if (bounds_.back() < bitext.size()) bounds_.push_back(bitext.size());
}

// Makes room for the grids and finds the cells that are not in the index.
void Expectation::lay_out(Chunk& chunk) const {
  size_t floats = 0;
  chunk.cells.clear();
  for (size_t pair = chunk.begin; pair < chunk.end; ++pair) {
    const auto source = bitext_.source_of(pair), target = bitext_.target_of(pair);
    floats += grid_floats(source.size(), target.size());
    if (index_.begin[pair] >= 0) continue;
    const size_t at = chunk.cells.size();
    chunk.cells.resize(at + bitext_.cells_of(pair));
    finder_->find(source, target, chunk.cells.data() + at);
  }
  chunk.floats.assign(floats, 0);
  chunk.statistics = {};
}

void Expectation::find(Chunk& chunk, const Positions& positions, const Lexicon& lexicon,
                       HmmScratch& scratch) const {
  visit_pairs(chunk, [&](auto source, auto target, const PairIndex* cells, const Grids& grids) {
    fill_grids(lexicon, source, target, cells, grids);
    find_posteriors(positions, grids, scratch, chunk.statistics);
    if (agree_) make_agree(grids);
  });
}

void Expectation::count(const Chunk& chunk, int64_t share, int64_t shares,
                        ExpectedCounts& counts) const {
  const auto mine = [&](WordId word) { return shares == 1 || word % shares == share; };
  visit_pairs(chunk, [&](auto source, auto target, const PairIndex* cells, const Grids& grids) {
    const auto& [forward, backward] = grids;
    for (size_t i = 0; i < source.size(); ++i) {
      if (!mine(source[i])) continue;
      const PairIndex* row = cells + i * target.size();
      const float* back = backward.row(static_cast<int32_t>(i));
      const float* ahead = forward.links + i;
      for (size_t j = 0; j < target.size(); ++j) {
        CountsBothWays& pair = counts.pairs[row[j]];
        pair.forward += ahead[j * forward.stride];
        pair.backward += back[j];
      }
      counts.backward_null[source[i]] += backward.empty[i];
    }
    for (size_t j = 0; j < target.size(); ++j)
      if (mine(target[j])) counts.forward_null[target[j]] += forward.empty[j];
  });
}

void Expectation::add_chunks(size_t first, size_t last, const Fill& fill, ExpectedCounts& counts,
                             PassStatistics& statistics, const StopFlag& stop, Progress& progress) {
  // A single thread counts a chunk while it is still in the cache.
  const size_t together = pool_.threads() == 1 ? 1 : kBlockChunks * pool_.threads();
  const int64_t shares = pool_.threads() == 1 ? 1 : 2 * int64_t{pool_.threads()};
  block_.resize(std::min(together, last - first));
  for (; first < last; first += block_.size()) {
    const size_t size = std::min(block_.size(), last - first);
    pool_.for_each(static_cast<int64_t>(size), stop, [&](int64_t k, int worker) {
      block_[k].begin = bounds_[first + k];
      block_[k].end = bounds_[first + k + 1];
      lay_out(block_[k]);
      fill(block_[k], first + k, worker);
    });
    pool_.for_each(shares, stop, [&](int64_t share, int) {
      for (size_t k = 0; k < size; ++k) count(block_[k], share, shares, counts);
    });
    for (size_t k = 0; k < size; ++k) statistics.add(block_[k].statistics);
    progress.advance(static_cast<int64_t>(bounds_[first + size] - bounds_[first]));
  }
}

PassStatistics Expectation::pass(const Positions& positions, const Lexicon& lexicon,
                                 ExpectedCounts& counts, const StopFlag& stop, Progress& progress) {
  PassStatistics statistics;
  add_chunks(
      0, bounds_.size() - 1,
      [&](Chunk& chunk, size_t, int worker) { find(chunk, positions, lexicon, scratch_[worker]); },
      counts, statistics, stop, progress);
  return statistics;
}

}  // namespace demotic::align
