#include "demotic/learn/candidates.h"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <string>

#include "demotic/align/clones.h"
#include "demotic/base/csr.h"

namespace demotic {
namespace {

void require(bool holds, const char* what) {
  if (!holds) throw std::invalid_argument(std::string("candidate lists: ") + what);
}

void check(const PoolView& pool) {
  const auto& offsets = pool.offsets;
  require(!offsets.empty() && offsets.front() == 0, "the first offset is not 0");
  require(std::is_sorted(offsets.begin(), offsets.end()), "offsets that descend");
  for (size_t l = 1; l < offsets.size(); ++l)
    require(offsets[l] - offsets[l - 1] <= std::numeric_limits<int32_t>::max() / 2,
            "a list that is too long");
  const auto rows = static_cast<size_t>(offsets.back());
  require(pool.dense_features >= 0 && pool.statistics_size > 0, "no statistics");
  require(pool.dense.size() == rows * pool.dense_features, "dense features of another size");
  require(pool.statistics.size() == rows * pool.statistics_size, "statistics of another size");
  require(pool.list_weights.empty() || pool.list_weights.size() + 1 == offsets.size(),
          "weights of another number of lists");
  if (pool.sparse_offsets.empty()) return;
  require(well_formed(CsrView<int32_t>{pool.sparse_offsets, pool.sparse_ids}) &&
              pool.sparse_offsets.size() == rows + 1 &&
              pool.sparse_values.size() == pool.sparse_ids.size(),
          "sparse rows that do not fit");
  for (const int32_t id : pool.sparse_ids)
    require(id >= 0 && id < pool.sparse_features, "a sparse feature without a weight");
}

}  // namespace

DEMOTIC_CLONES
void add_scaled(const float* values, int32_t count, double factor, double* out) {
  for (int32_t i = 0; i < count; ++i) out[i] += factor * static_cast<double>(values[i]);
}

CandidateLists::CandidateLists(const PoolView& pool) : pool_(pool) {
  check(pool);
  columns_.resize(pool.dense.size());
  for (int64_t list = 0; list < size(); ++list) {
    const int32_t count = length(list);
    longest_ = std::max(longest_, count);
    const float* row = pool.dense.data() + first(list) * pool.dense_features;
    float* block = columns_.data() + first(list) * pool.dense_features;
    for (int32_t i = 0; i < count; ++i)
      for (int32_t f = 0; f < pool.dense_features; ++f)
        block[int64_t{f} * count + i] = row[int64_t{i} * pool.dense_features + f];
  }
}

void CandidateLists::score_dense(int64_t list, std::span<const double> weights, double* out) const {
  std::fill_n(out, length(list), 0.0);
  for (int32_t f = 0; f < pool_.dense_features; ++f)
    if (weights[f] != 0) add_scaled(column(list, f), length(list), weights[f], out);
}

void CandidateLists::score(int64_t list, std::span<const double> weights, double* out) const {
  score_dense(list, weights, out);
  add_sparse(list, [&](int32_t id) { return weights[id]; }, out);
}

std::vector<double> best_statistics(const CandidateLists& lists, std::span<const double> weights) {
  std::vector<double> sums(lists.statistics_size(), 0.0), scores(lists.longest());
  for (int64_t list = 0; list < lists.size(); ++list) {
    if (lists.length(list) == 0) continue;
    lists.score(list, weights, scores.data());
    const auto best = std::max_element(scores.begin(), scores.begin() + lists.length(list));
    const int32_t* found = lists.statistics(lists.first(list) + (best - scores.begin()));
    for (size_t k = 0; k < sums.size(); ++k) sums[k] += lists.weight(list) * found[k];
  }
  return sums;
}

}  // namespace demotic
