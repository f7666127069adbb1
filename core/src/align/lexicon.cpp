#include "demotic/align/lexicon.h"

#include <algorithm>
#include <cmath>

namespace demotic::align {
namespace {

constexpr int64_t kShares = 32;  // fixed, so that sums do not depend on the number of threads

// Turns a count into the numerator of a probability; the divisor comes from the sum of a row.
class Estimator {
 public:
  explicit Estimator(double alpha) : alpha_(alpha) {}

  double numerator(double count) const { return alpha_ > 0 ? exp_digamma(count + alpha_) : count; }
  double factor(double sum, int64_t entries) const {
    if (alpha_ > 0) return 1 / exp_digamma(sum + alpha_ * static_cast<double>(entries));
    return sum > 0 ? 1 / sum : 0;
  }

 private:
  double alpha_;
};

float bounded(double probability) {
  return std::max(kMinProbability, static_cast<float>(probability));
}

void normalize_null(std::span<const double> counts, const Estimator& estimator,
                    std::span<float> probabilities) {
  double sum = 0;
  int64_t entries = 0;
  for (const double count : counts) {
    sum += count;
    entries += count > 0;
  }
  const double factor = estimator.factor(sum, entries);
  for (size_t word = 0; word < counts.size(); ++word)
    probabilities[word] =
        bounded(counts[word] > 0 ? estimator.numerator(counts[word]) * factor : 0);
}

// Divides the source words into kShares parts with similar numbers of pairs.
std::vector<WordId> share_rows(const PairTable& table) {
  std::vector<WordId> bounds{0};
  for (int64_t share = 1; share <= kShares; ++share) {
    const int64_t goal = static_cast<int64_t>(table.size()) * share / kShares;
    const auto row =
        std::lower_bound(table.rows.offsets.begin(), table.rows.offsets.end() - 1, goal);
    bounds.push_back(static_cast<WordId>(row - table.rows.offsets.begin()));
  }
  bounds.back() = table.source_words();
  return bounds;
}

struct Column {
  double sum = 0;
  int64_t entries = 0;
};

// The sums of the backward counts by target word, added in the order of the shares.
std::vector<Column> sum_columns(const PairTable& table, const ExpectedCounts& counts,
                                std::span<const WordId> bounds, ThreadPool& pool,
                                const StopFlag& stop) {
  std::vector<Column> total(table.target_words);
  pool.map_reduce(
      kShares, stop,
      [&](int64_t share, int) {
        std::vector<Column> part(table.target_words);
        for (int64_t p = table.rows.offsets[bounds[share]];
             p < table.rows.offsets[bounds[share + 1]]; ++p) {
          Column& column = part[table.rows.values[p]];
          column.sum += counts.pairs[p].backward;
          ++column.entries;
        }
        return part;
      },
      [&](int64_t, std::vector<Column>&& part) {
        for (size_t word = 0; word < part.size(); ++word) {
          total[word].sum += part[word].sum;
          total[word].entries += part[word].entries;
        }
      });
  return total;
}

void normalize_pairs(const PairTable& table, const ExpectedCounts& counts,
                     const Estimator& estimator, Lexicon& lexicon, ThreadPool& pool,
                     const StopFlag& stop) {
  const std::vector<WordId> bounds = share_rows(table);
  const std::vector<Column> columns = sum_columns(table, counts, bounds, pool, stop);
  std::vector<double> column_factor(columns.size());
  for (size_t word = 0; word < columns.size(); ++word)
    column_factor[word] = estimator.factor(columns[word].sum, columns[word].entries);
  pool.for_each(kShares, stop, [&](int64_t share, int) {
    for (WordId row = bounds[share]; row < bounds[share + 1]; ++row) {
      const int64_t begin = table.rows.offsets[row], end = table.rows.offsets[row + 1];
      double sum = 0;
      for (int64_t p = begin; p < end; ++p) sum += counts.pairs[p].forward;
      const double factor = estimator.factor(sum, end - begin);
      for (int64_t p = begin; p < end; ++p) {
        const double back = column_factor[table.rows.values[p]];
        lexicon.pairs[p] = {bounded(estimator.numerator(counts.pairs[p].forward) * factor),
                            bounded(estimator.numerator(counts.pairs[p].backward) * back)};
      }
    }
  });
}

// The pairs of each target word, ascending.
Csr<PairIndex> transpose(const PairTable& table) {
  Csr<PairIndex> result;
  result.offsets.assign(size_t{1} + table.target_words, 0);
  for (const WordId word : table.rows.values) ++result.offsets[word + 1];
  for (WordId word = 0; word < table.target_words; ++word)
    result.offsets[word + 1] += result.offsets[word];
  result.values.resize(table.size());
  std::vector<int64_t> next(result.offsets.begin(), result.offsets.end() - 1);
  for (size_t p = 0; p < table.size(); ++p)
    result.values[next[table.rows.values[p]]++] = static_cast<PairIndex>(p);
  return result;
}

// One word's translations under the l0 prior; pair_of(k) is the k-th pair of the word.
template <typename PairOf>
void sparse_word(size_t size, PairOf&& pair_of, double CountsBothWays::* from, float BothWays::* to,
                 const ExpectedCounts& counts, const SparsePrior& prior, Lexicon& lexicon) {
  std::vector<double> count(size), probability(size);
  double sum = 0;
  for (size_t k = 0; k < size; ++k) sum += count[k] = counts.pairs[pair_of(k)].*from;
  if (sum <= 0) return;
  for (size_t k = 0; k < size; ++k) probability[k] = count[k] / sum;
  sparse_maximize(count, prior, probability);
  for (size_t k = 0; k < size; ++k) lexicon.pairs[pair_of(k)].*to = bounded(probability[k]);
}

void sparse_pairs(const PairTable& table, const ExpectedCounts& counts, const SparsePrior& prior,
                  Lexicon& lexicon, ThreadPool& pool, const StopFlag& stop) {
  pool.for_each(table.source_words(), stop, [&](int64_t row, int) {
    const int64_t begin = table.rows.offsets[row];
    sparse_word(
        table.rows[row].size(), [&](size_t k) { return begin + k; }, &CountsBothWays::forward,
        &BothWays::forward, counts, prior, lexicon);
  });
  const Csr<PairIndex> columns = transpose(table);
  pool.for_each(table.target_words, stop, [&](int64_t column, int) {
    const auto pairs = columns[column];
    sparse_word(
        pairs.size(), [&](size_t k) { return pairs[k]; }, &CountsBothWays::backward,
        &BothWays::backward, counts, prior, lexicon);
  });
}

}  // namespace

Lexicon Lexicon::uniform(const PairTable& table) {
  const float forward = 1.0f / static_cast<float>(std::max(1, table.target_words));
  const float backward = 1.0f / static_cast<float>(std::max(1, table.source_words()));
  Lexicon lexicon;
  lexicon.pairs.assign(table.size(), {forward, backward});
  lexicon.pairs.push_back({kMinProbability, kMinProbability});
  lexicon.forward_null.assign(table.target_words, forward);
  lexicon.backward_null.assign(table.source_words(), backward);
  return lexicon;
}

void ExpectedCounts::clear() {
  std::fill(pairs.begin(), pairs.end(), CountsBothWays{});
  std::fill(forward_null.begin(), forward_null.end(), 0);
  std::fill(backward_null.begin(), backward_null.end(), 0);
}

void normalize(const PairTable& table, ExpectedCounts& counts, const NormalizeOptions& options,
               Lexicon& lexicon, ThreadPool& pool, const StopFlag& stop) {
  const Estimator estimator(options.l0 ? 0 : options.alpha);
  if (options.l0)
    sparse_pairs(table, counts, options.sparse, lexicon, pool, stop);
  else
    normalize_pairs(table, counts, estimator, lexicon, pool, stop);
  normalize_null(counts.forward_null, estimator, lexicon.forward_null);
  normalize_null(counts.backward_null, estimator, lexicon.backward_null);
  counts.clear();
}

// digamma(x) = digamma(x + 6) - sum_{k<6} 1 / (x + k); for large y, exp(digamma(y)) is close to z +
// 1 / (24 z) - 37 / (5760 z^3) with z = y - 1/2.
double exp_digamma(double x) {
  if (x < 0.035) return 0;  // below 1e-12, and most expected counts are nearly zero
  double shift = 0;
  for (int k = 0; k < 6; k += 2) shift += (2 * (x + k) + 1) / ((x + k) * (x + k + 1));
  const double z = x + 5.5;
  const double inverse = 1 / z;
  return (z + inverse * (1.0 / 24 - 37.0 / 5760 * inverse * inverse)) * std::exp(-shift);
}

}  // namespace demotic::align
