// The pairs of words that co-occur in a sentence pair: the support of the translation tables.
//
// One table serves both directions: pair p is (source word of the row, targets[p]), with rows in
// CSR by source word and ascending targets, so that probabilities or counts are parallel arrays.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "demotic/align/bitext.h"
#include "demotic/base/csr.h"
#include "demotic/base/stop.h"
#include "demotic/base/thread_pool.h"

namespace demotic::align {

using PairIndex = uint32_t;

struct PairTable {
  Csr<WordId> rows;  // by source word
  WordId target_words = 0;

  WordId source_words() const noexcept { return static_cast<WordId>(rows.size()); }
  size_t size() const noexcept { return rows.values.size(); }
};

// For each sentence pair the table index of each of its cells, row by row: cell (i, j) of a pair
// with J target words is at i * J + j. Pairs beyond the memory limit are not stored.
struct CellIndex {
  std::vector<PairIndex> cells;
  std::vector<int64_t> begin;  // by used pair; -1 if it is not stored

  // The cells of a pair, or an empty span.
  std::span<const PairIndex> of(size_t pair, int64_t count) const noexcept {
    if (begin[pair] < 0) return {};
    return {cells.data() + begin[pair], static_cast<size_t>(count)};
  }
};

struct IndexedPairs {
  PairTable table;
  CellIndex index;
};

// How many cells may be kept, given the table.
using CellLimit = std::function<int64_t(const PairTable&)>;

// Time: about two visits to each cell; memory: 4 bytes per cell up to the limit, 4 per distinct
// pair. Throws ModelError past 2^32 - 2 distinct pairs.
IndexedPairs index_pairs(const Bitext& bitext, const CellLimit& max_cells, ThreadPool& pool,
                         const StopFlag& stop);

// Finds pairs of words: in constant time in rows that hold a large part of the vocabulary (a bit
// map with ranks), by binary search in short ones. Immutable, safe to share.
class PairFinder {
 public:
  explicit PairFinder(const PairTable& table);

  // The indices of all cells of a sentence pair; `table.size()` for words that never co-occurred.
  void find(std::span<const WordId> source, std::span<const WordId> target, PairIndex* cells) const;

 private:
  void find_row(WordId source, std::span<const WordId> target, PairIndex* cells) const;

  const PairTable& table_;
  std::vector<int64_t> dense_;   // by source word: offset of its bit map, or -1
  std::vector<uint64_t> bits_;   // bit maps over the target words
  std::vector<PairIndex> rank_;  // number of pairs before each 64-bit word of `bits_`
};

}  // namespace demotic::align
