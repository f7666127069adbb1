#include "demotic/learn/candidates.h"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <string>

#include "demotic/base/csr.h"
#include "demotic/base/portable.h"
#include "lanes.h"

namespace demotic::learn {
namespace {

void require(bool holds, const char* what) {
  if (!holds) throw std::invalid_argument(std::string("candidate lists: ") + what);
}

void check_sparse(const PoolView& pool) {
  require(well_formed(pool.parts) && pool.parts.size() == static_cast<size_t>(pool.offsets.back()),
          "the parts do not fit the candidates");
  require(
      well_formed(pool.part_features) &&
          (pool.part_values.empty() || pool.part_values.size() == pool.part_features.values.size()),
      "the sparse features do not fit the parts");
  for (const int32_t part : pool.parts.values)
    require(part >= 0 && static_cast<size_t>(part) < pool.part_features.size(),
            "a part is out of range");
  for (const int32_t id : pool.part_features.values)
    require(id >= 0 && id < pool.sparse_features, "a sparse feature id is out of range");
}

void check(const PoolView& pool) {
  const auto& offsets = pool.offsets;
  require(!offsets.empty() && offsets.front() == 0, "expected offsets that start at 0");
  require(std::is_sorted(offsets.begin(), offsets.end()), "expected ascending offsets");
  for (size_t l = 1; l < offsets.size(); ++l)
    require(offsets[l] - offsets[l - 1] <= std::numeric_limits<int32_t>::max() / 2,
            "a list has more than 2^30 candidates");
  const auto rows = static_cast<size_t>(offsets.back());
  require(pool.dense_features >= 0 && pool.statistics_size > 0,
          "expected at least one statistic per candidate");
  require(pool.dense.size() == rows * pool.dense_features,
          "the array of dense features does not fit the number of candidates");
  require(pool.statistics.size() == rows * pool.statistics_size,
          "the array of statistics does not fit the number of candidates");
  require(pool.list_weights.empty() || pool.list_weights.size() + 1 == offsets.size(),
          "expected one weight per list");
  if (!pool.parts.offsets.empty()) check_sparse(pool);
}

// `kLocality` as in prefetch_line.
template <int kLocality, typename Value>
void prefetch_all(const Value* values, int64_t count) {
  constexpr int64_t kLine = 64 / sizeof(Value);
  for (int64_t i = 0; i < count; i += kLine) prefetch_line<kLocality>(values + i);
}

// outs[w][i] = sum over f of weights[w][f] * columns[f * stride + i]. The sums stay in registers;
// for each candidate they are added in the order of the features. Several weight vectors at once:
// most of the time goes into loading and converting the features.
template <size_t kVectors>
DEMOTIC_INLINE void weigh_by(const float* columns, int64_t stride, int32_t count, int32_t features,
                             const std::array<const double*, kVectors>& weights,
                             const std::array<double*, kVectors>& outs) {
  int32_t i = 0;
  for (; i + kWide <= count; i += kWide) {
    Doubles sums[kVectors] = {};
    for (int32_t f = 0; f < features; ++f) {
      const Doubles values = load(columns + f * stride + i);
      for (size_t w = 0; w < kVectors; ++w) sums[w] += weights[w][f] * values;
    }
    for (size_t w = 0; w < kVectors; ++w) store(sums[w], outs[w] + i);
  }
  for (; i < count; ++i)
    for (size_t w = 0; w < kVectors; ++w) {
      double sum = 0;
      for (int32_t f = 0; f < features; ++f)
        sum += weights[w][f] * static_cast<double>(columns[f * stride + i]);
      outs[w][i] = sum;
    }
}

DEMOTIC_CLONES
void weigh(const float* columns, int64_t stride, int32_t count, std::span<const double> weights,
           double* out) {
  weigh_by<1>(columns, stride, count, static_cast<int32_t>(weights.size()), {weights.data()},
              {out});
}

DEMOTIC_CLONES
void weigh_twice(const float* columns, int64_t stride, int32_t count, int32_t features,
                 const std::array<const double*, 2>& weights, const std::array<double*, 2>& outs) {
  weigh_by<2>(columns, stride, count, features, weights, outs);
}

}  // namespace

DEMOTIC_CLONES
int32_t highest_of(const double* scores, int32_t count) {
  if (count < kWide) return static_cast<int32_t>(std::max_element(scores, scores + count) - scores);
  RunningHighest best;
  visit_vectors(count, [&](int32_t i, const Integers& at) { best.add(load(scores + i), at); });
  return best.first().index;
}

DEMOTIC_CLONES
void add_scaled(const float* values, int32_t count, double factor, double* out) {
  for (int32_t i = 0; i < count; ++i) out[i] += factor * static_cast<double>(values[i]);
}

CandidateLists::CandidateLists(const PoolView& pool) : pool_(pool) {
  check(pool);
  distinct_ = DistinctStatistics(pool.offsets, pool.statistics, pool.statistics_size);
  columns_.resize(pool.dense.size());
  for (int64_t list = 0; list < size(); ++list) {
    const int32_t count = length(list);
    longest_ = std::max(longest_, count);
    const float* row = pool.dense.data() + first(list) * pool.dense_features;
    float* block = columns_.data() + first(list);
    for (int32_t i = 0; i < count; ++i)
      for (int32_t f = 0; f < pool.dense_features; ++f)
        block[f * candidates() + i] = row[int64_t{i} * pool.dense_features + f];
  }
  find_outermost();
  if (!pool.parts.offsets.empty()) index_parts();
}

void CandidateLists::find_outermost() {
  const auto add_row = [&](std::span<const float> values, float wanted) {
    for (size_t i = 0; i < values.size(); ++i)
      if (values[i] == wanted) outermost_.values.push_back(static_cast<int32_t>(i));
    outermost_.end_row();
  };
  for (int32_t f = 0; f < pool_.dense_features; ++f)
    for (int64_t list = 0; list < size(); ++list) {
      std::span<const float> values{column(list, f), static_cast<size_t>(length(list))};
      float low = values.empty() ? 0 : values[0], high = low;
      for (const float value : values) low = std::min(low, value), high = std::max(high, value);
      if (!(low < high)) values = {};
      add_row(values, low);
      add_row(values, high);
    }
}

// Numbers the parts of each list from 0, in order of first appearance.
void CandidateLists::index_parts() {
  std::vector<int32_t> places(pool_.part_features.size(), -1);
  part_places_.reserve(pool_.parts.values.size());
  for (int64_t list = 0; list < size(); ++list) {
    const int64_t begin = pool_.parts.offsets[first(list)];
    const int64_t end = pool_.parts.offsets[first(list + 1)];
    for (int64_t k = begin; k < end; ++k) {
      int32_t& place = places[pool_.parts.values[k]];
      if (place < 0) {
        place = static_cast<int32_t>(list_parts_.values.size() - list_parts_.offsets.back());
        list_parts_.values.push_back(pool_.parts.values[k]);
      }
      part_places_.push_back(place);
    }
    list_parts_.end_row();
    for (const int32_t part : list_parts_[list]) places[part] = -1;
  }
}

void CandidateLists::prefetch(int64_t list) const noexcept {
  for (int32_t f = 0; f < pool_.dense_features; ++f) prefetch_all<2>(column(list, f), length(list));
  if (pool_.parts.offsets.empty()) return;
  for (const int32_t part : list_parts_[list]) {
    const int64_t begin = pool_.part_features.offsets[part];
    const int64_t size = pool_.part_features.offsets[part + 1] - begin;
    prefetch_all<2>(pool_.part_features.values.data() + begin, size);
    if (!pool_.part_values.empty()) prefetch_all<2>(pool_.part_values.data() + begin, size);
  }
}

void CandidateLists::prefetch_statistics(int64_t list) const noexcept {
  const DistinctStatistics::Columns rows = distinct_columns(list);
  prefetch_all<2>(rows.values, int64_t{rows.count} * pool_.statistics_size);
  prefetch_all<2>(statistics_ids(list), length(list));
}

void CandidateLists::score_dense(int64_t list, std::span<const double> weights, double* out) const {
  weigh(column(list, 0), candidates(), length(list), weights.first(pool_.dense_features), out);
}

void CandidateLists::score(int64_t list, std::span<const double> weights, double* out,
                           PartSums& sums) const {
  score_dense(list, weights, out);
  add_sparse(list, [&](int32_t id) { return weights[id]; }, out, sums);
}

void CandidateLists::score(int64_t list, const std::array<std::span<const double>, 2>& weights,
                           const std::array<double*, 2>& out, PartSums& sums) const {
  weigh_twice(column(list, 0), candidates(), length(list), pool_.dense_features,
              {weights[0].data(), weights[1].data()}, out);
  if (pool_.parts.offsets.empty()) return;
  sums.clear();
  for (const int32_t part : list_parts_[list]) {
    double first = 0, second = 0;
    visit_part(part, [&](int32_t id, double value) {
      first += weights[0][id] * value;
      second += weights[1][id] * value;
    });
    sums.push_back(first);
    sums.push_back(second);
  }
  const int64_t* ends = pool_.parts.offsets.data() + this->first(list);
  for (int32_t i = 0; i < length(list); ++i) {
    double first = out[0][i], second = out[1][i];
    for (int64_t k = ends[i]; k < ends[i + 1]; ++k) {
      first += sums[2 * size_t(part_places_[k])];
      second += sums[2 * size_t(part_places_[k]) + 1];
    }
    out[0][i] = first;
    out[1][i] = second;
  }
}

void CandidateLists::add_best(int64_t list, std::span<const double> scores,
                              std::span<double> sums) const {
  const int32_t best = statistics_ids(list)[highest_of(scores.data(), length(list))];
  const DistinctStatistics::Columns rows = distinct_columns(list);
  for (size_t k = 0; k < sums.size(); ++k)
    sums[k] += weight(list) * rows.values[static_cast<int64_t>(k) * rows.count + best];
}

std::vector<double> best_statistics(const CandidateLists& lists, std::span<const double> weights) {
  std::vector<double> sums(lists.statistics_size(), 0.0), scores(lists.longest());
  CandidateLists::PartSums part_sums;
  for (int64_t list = 0; list < lists.size(); ++list) {
    if (lists.length(list) == 0) continue;
    lists.score(list, weights, scores.data(), part_sums);
    lists.add_best(list, scores, sums);
  }
  return sums;
}

double mean_spread(const CandidateLists& lists, std::span<const double> weights) {
  std::vector<double> scores(lists.longest());
  CandidateLists::PartSums part_sums;
  double sum = 0;
  int64_t count = 0;
  for (int64_t list = 0; list < lists.size(); ++list) {
    if (lists.length(list) == 0) continue;
    lists.score(list, weights, scores.data(), part_sums);
    const auto [low, high] =
        std::minmax_element(scores.begin(), scores.begin() + lists.length(list));
    sum += *high - *low;
    ++count;
  }
  return count == 0 ? 0 : sum / static_cast<double>(count);
}

}  // namespace demotic::learn
