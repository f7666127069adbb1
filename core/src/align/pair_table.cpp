#include "demotic/align/pair_table.h"

#include <algorithm>
#include <bit>
#include <limits>

#include "demotic/base/errors.h"

namespace demotic::align {
namespace {

struct Occurrence {
  int32_t pair;  // index of the used pair
  int32_t position;
};

// The occurrences of each source word, in order.
Csr<Occurrence> invert(const Bitext& bitext, WordId source_words) {
  Csr<Occurrence> result;
  result.offsets.assign(size_t{1} + source_words, 0);
  for (size_t pair = 0; pair < bitext.size(); ++pair)
    for (const WordId word : bitext.source_of(pair)) ++result.offsets[word + 1];
  for (WordId word = 0; word < source_words; ++word)
    result.offsets[word + 1] += result.offsets[word];
  result.values.resize(result.offsets.back());
  std::vector<int64_t> next(result.offsets.begin(), result.offsets.end() - 1);
  for (size_t pair = 0; pair < bitext.size(); ++pair) {
    const auto source = bitext.source_of(pair);
    for (size_t i = 0; i < source.size(); ++i)
      result.values[next[source[i]]++] = {static_cast<int32_t>(pair), static_cast<int32_t>(i)};
  }
  return result;
}

// Divides the source words into consecutive shares with similar numbers of occurrences.
std::vector<WordId> share_out(const Csr<Occurrence>& occurrences) {
  const int64_t share = std::max<int64_t>(1024, occurrences.offsets.back() / 64);
  std::vector<WordId> bounds{0};
  const auto words = static_cast<WordId>(occurrences.size());
  for (WordId word = 0; word < words; ++word) {
    if (occurrences.offsets[word + 1] - occurrences.offsets[bounds.back()] >= share)
      bounds.push_back(word + 1);
  }
  if (bounds.back() < words) bounds.push_back(words);
  return bounds;
}

// A set of target words that lists its members in ascending order.
class WordSet {
 public:
  void fit(WordId words) { bits_.resize((static_cast<size_t>(words) + 63) / 64); }

  void insert(WordId word) {
    uint64_t& bits = bits_[word >> 6];
    const uint64_t bit = uint64_t{1} << (word & 63);
    if (bits & bit) return;
    bits |= bit;
    members_.push_back(word);
  }

  // Appends the members to `out` and clears the set.
  void move_to(std::vector<WordId>& out) {
    if (members_.size() * 8 > bits_.size()) {
      for (size_t k = 0; k < bits_.size(); ++k) {
        for (uint64_t rest = std::exchange(bits_[k], 0); rest != 0; rest &= rest - 1)
          out.push_back(static_cast<WordId>(64 * k) + std::countr_zero(rest));
      }
    } else {
      std::sort(members_.begin(), members_.end());
      out.insert(out.end(), members_.begin(), members_.end());
      for (const WordId word : members_) bits_[word >> 6] = 0;
    }
    members_.clear();
  }

 private:
  std::vector<uint64_t> bits_;
  std::vector<WordId> members_;
};

PairTable collect_pairs(const Bitext& bitext, const Csr<Occurrence>& occurrences,
                        std::span<const WordId> bounds, ThreadPool& pool, const StopFlag& stop) {
  PairTable table;
  table.target_words = id_bound(bitext.target);
  std::vector<WordSet> sets(pool.threads());
  for (WordSet& set : sets) set.fit(table.target_words);
  pool.map_reduce(
      static_cast<int64_t>(bounds.size()) - 1, stop,
      [&](int64_t share, int worker) {
        Csr<WordId> rows;
        for (WordId word = bounds[share]; word < bounds[share + 1]; ++word) {
          stop.check();
          for (const Occurrence& at : occurrences[word])
            for (const WordId target : bitext.target_of(at.pair)) sets[worker].insert(target);
          sets[worker].move_to(rows.values);
          rows.end_row();
        }
        return rows;
      },
      [&](int64_t, Csr<WordId>&& rows) {
        const auto base = static_cast<int64_t>(table.rows.values.size());
        for (size_t row = 1; row < rows.offsets.size(); ++row)
          table.rows.offsets.push_back(base + rows.offsets[row]);
        table.rows.values.insert(table.rows.values.end(), rows.values.begin(), rows.values.end());
      });
  if (table.size() >= std::numeric_limits<PairIndex>::max()) {
    throw ModelError({.found = "too many pairs of co-occurring words",
                      .expected = "at most 4294967294",
                      .advice = "align the corpus in parts, or exclude very long lines"});
  }
  return table;
}

// Assigns positions to the cells of the first sentence pairs, as many as the limit allows.
CellIndex place_cells(const Bitext& bitext, int64_t max_cells) {
  CellIndex index;
  index.begin.assign(bitext.size(), -1);
  int64_t total = 0;
  for (size_t pair = 0; pair < bitext.size(); ++pair) {
    const int64_t count = bitext.cells_of(pair);
    if (total + count > max_cells) break;
    index.begin[pair] = total;
    total += count;
  }
  index.cells.resize(total);
  return index;
}

// The last of ascending words that is not above `word`, or the first; there is at least one.
// Branch-free, so that searches for several words overlap.
const WordId* last_up_to(std::span<const WordId> words, WordId word) noexcept {
  const WordId* at = words.data();
  for (size_t left = words.size(); left > 1;) {
    const size_t half = left / 2;
    at = at[half] <= word ? at + half : at;
    left -= half;
  }
  return at;
}

}  // namespace

IndexedPairs index_pairs(const Bitext& bitext, const CellLimit& max_cells, ThreadPool& pool,
                         const StopFlag& stop) {
  const Csr<Occurrence> occurrences = invert(bitext, id_bound(bitext.source));
  const std::vector<WordId> bounds = share_out(occurrences);
  IndexedPairs result{collect_pairs(bitext, occurrences, bounds, pool, stop), {}};
  result.index = place_cells(bitext, max_cells(result.table));
  const PairTable& table = result.table;
  const CellIndex& index = result.index;
  std::vector<std::vector<PairIndex>> places(pool.threads());
  PairIndex* cells = result.index.cells.data();
  const auto shares = static_cast<int64_t>(bounds.size()) - 1;
  pool.for_each(shares, stop, [&](int64_t share, int worker) {
    std::vector<PairIndex>& place = places[worker];  // index of a target word in the current row
    place.resize(table.target_words);
    for (WordId word = bounds[share]; word < bounds[share + 1]; ++word) {
      stop.check();
      auto pair_index = static_cast<PairIndex>(table.rows.offsets[word]);
      for (const WordId target : table.rows[word]) place[target] = pair_index++;
      for (const Occurrence& at : occurrences[word]) {
        if (index.begin[at.pair] < 0) continue;
        const auto target = bitext.target_of(at.pair);
        PairIndex* out = cells + index.begin[at.pair] + at.position * target.size();
        for (size_t j = 0; j < target.size(); ++j) out[j] = place[target[j]];
      }
    }
  });
  return result;
}

PairFinder::PairFinder(const PairTable& table) : table_(table) {
  const size_t words = (static_cast<size_t>(table.target_words) + 63) / 64;
  dense_.assign(table.rows.size(), -1);
  for (size_t row = 0; row < table.rows.size(); ++row) {
    const auto targets = table.rows[row];
    if (targets.size() < 16 || targets.size() < words) continue;
    const size_t begin = bits_.size();
    dense_[row] = static_cast<int64_t>(begin);
    bits_.resize(begin + words, 0);
    for (const WordId target : targets)
      bits_[begin + (target >> 6)] |= uint64_t{1} << (target & 63);
    auto before = static_cast<PairIndex>(table.rows.offsets[row]);
    for (size_t k = begin; k < bits_.size(); ++k) {
      rank_.push_back(before);
      before += std::popcount(bits_[k]);
    }
  }
}

void PairFinder::find(std::span<const WordId> source, std::span<const WordId> target,
                      PairIndex* cells) const {
  for (const WordId word : source) {
    find_row(word, target, cells);
    cells += target.size();
  }
}

void PairFinder::find_row(WordId source, std::span<const WordId> target, PairIndex* cells) const {
  const auto missing = static_cast<PairIndex>(table_.size());
  if (source >= table_.source_words() || table_.rows[source].empty()) {
    std::fill_n(cells, target.size(), missing);
    return;
  }
  const auto row = table_.rows[source];
  const auto base = static_cast<PairIndex>(table_.rows.offsets[source]);
  for (size_t j = 0; j < target.size(); ++j) {
    const WordId word = target[j];
    cells[j] = missing;
    if (word >= table_.target_words) continue;
    if (dense_[source] >= 0) {
      const size_t at = dense_[source] + (word >> 6);
      const uint64_t bit = uint64_t{1} << (word & 63);
      if (bits_[at] & bit) cells[j] = rank_[at] + std::popcount(bits_[at] & (bit - 1));
    } else {
      const WordId* found = last_up_to(row, word);
      if (*found == word) cells[j] = base + static_cast<PairIndex>(found - row.data());
    }
  }
}

}  // namespace demotic::align
