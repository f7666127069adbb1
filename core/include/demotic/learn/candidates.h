// Many candidate lists as the learners' loops want them: the dense features of a list stand column
// by column, so that scores and slopes are plain vector loops with one order of summation, whatever
// the width of the machine's vectors. Statistics and sparse features belong to the caller.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "demotic/base/huge_pages.h"
#include "demotic/learn/kinds.h"
#include "demotic/metrics/metric_form.h"

namespace demotic::learn {

// What a pool consists of. Candidates [offsets[l], offsets[l + 1]) are list l.
struct PoolView {
  std::span<const int64_t> offsets;     // lists + 1, ascending, the first 0
  std::span<const float> dense;         // candidates x dense_features, row by row
  std::span<const int32_t> statistics;  // candidates x statistics_size, row by row
  int32_t dense_features = 0;
  int32_t statistics_size = 0;
  std::span<const int64_t> sparse_offsets;  // candidates + 1, or empty: no sparse features
  std::span<const int32_t> sparse_ids;      // ascending in a row, below sparse_features
  std::span<const double> sparse_values;
  int32_t sparse_features = 0;
  std::span<const double> list_weights;  // one a list, or empty: all 1
};

// Immutable and thread-safe. Weights are the dense ones, then the sparse ones.
class CandidateLists {
 public:
  // Copies the dense features and sorts out the statistics; the rest must outlive it. Throws
  // std::invalid_argument.
  explicit CandidateLists(const PoolView& pool);

  int64_t size() const noexcept { return static_cast<int64_t>(pool_.offsets.size()) - 1; }
  int64_t candidates() const noexcept { return pool_.offsets.back(); }
  int64_t first(int64_t list) const noexcept { return pool_.offsets[list]; }
  int32_t length(int64_t list) const noexcept {
    return static_cast<int32_t>(pool_.offsets[list + 1] - pool_.offsets[list]);
  }
  int32_t longest() const noexcept { return longest_; }
  int32_t dense_features() const noexcept { return pool_.dense_features; }
  int32_t features() const noexcept { return pool_.dense_features + pool_.sparse_features; }
  int32_t statistics_size() const noexcept { return pool_.statistics_size; }
  double weight(int64_t list) const noexcept {
    return pool_.list_weights.empty() ? 1.0 : pool_.list_weights[list];
  }

  const int32_t* statistics(int64_t candidate) const noexcept {
    return pool_.statistics.data() + candidate * pool_.statistics_size;
  }
  // Which of the list's different statistics its candidates have; see kinds.h.
  const int32_t* kinds(int64_t list) const noexcept { return kinds_.of_candidates() + first(list); }
  std::span<const int64_t> kind_firsts(int64_t list) const noexcept { return kinds_.firsts(list); }
  // A dense feature of all candidates of a list.
  const float* column(int64_t list, int32_t feature) const noexcept {
    return columns_.data() + first(list) * pool_.dense_features + int64_t{feature} * length(list);
  }

  // Asks for a list's dense features ahead of their use.
  void prefetch(int64_t list) const noexcept;

  // out[i] = weights . features of the list's candidate i.
  void score(int64_t list, std::span<const double> weights, double* out) const;
  // The same over the dense features only.
  void score_dense(int64_t list, std::span<const double> weights, double* out) const;
  // out[i] += weight(id) * value over the sparse features of candidate i.
  template <typename Weight>
  void add_sparse(int64_t list, Weight&& weight, double* out) const;

  // Adds the statistics of the candidate with the highest score, the first of equals, to `sums`.
  // The list is not empty.
  void add_best(int64_t list, std::span<const double> scores, std::span<double> sums) const;

  // visit(feature, value) for every feature of a candidate, the dense ones first.
  template <typename Visit>
  void visit_features(int64_t list, int32_t candidate, Visit&& visit) const;

 private:
  PoolView pool_;
  std::vector<float, HugePages<float>> columns_;
  Kinds kinds_;
  int32_t longest_ = 0;
};

// Sums the statistics of every list's best candidate under the weights; ties go to the first.
std::vector<double> best_statistics(const CandidateLists& lists, std::span<const double> weights);

// out[i] += factor * values[i]
void add_scaled(const float* values, int32_t count, double factor, double* out);

template <typename Weight>
void CandidateLists::add_sparse(int64_t list, Weight&& weight, double* out) const {
  if (pool_.sparse_offsets.empty()) return;
  const int64_t begin = first(list);
  for (int32_t i = 0; i < length(list); ++i)
    for (int64_t k = pool_.sparse_offsets[begin + i]; k < pool_.sparse_offsets[begin + i + 1]; ++k)
      out[i] += weight(pool_.dense_features + pool_.sparse_ids[k]) * pool_.sparse_values[k];
}

template <typename Visit>
void CandidateLists::visit_features(int64_t list, int32_t candidate, Visit&& visit) const {
  for (int32_t f = 0; f < pool_.dense_features; ++f)
    visit(f, static_cast<double>(column(list, f)[candidate]));
  if (pool_.sparse_offsets.empty()) return;
  const int64_t row = first(list) + candidate;
  for (int64_t k = pool_.sparse_offsets[row]; k < pool_.sparse_offsets[row + 1]; ++k)
    visit(pool_.dense_features + pool_.sparse_ids[k], pool_.sparse_values[k]);
}

}  // namespace demotic::learn
