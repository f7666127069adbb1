// Candidate lists in the layout of the learners' inner loops: dense features are stored by column
// over all lists, so scores and slopes are plain vector loops, and a line search that visits all
// lists reads memory in order. The order of summation does not depend on the vector width of the
// machine. Statistics and sparse features stay with the caller.
//
// Sparse features have two levels: a candidate has parts (the steps of its derivation), a part has
// features. Candidates of a list share most of their parts, so a list is scored by summing the
// weights of each of its parts once.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "demotic/base/csr.h"
#include "demotic/base/huge_pages.h"
#include "demotic/learn/distinct_statistics.h"
#include "demotic/learn/list_envelope.h"
#include "demotic/metrics/metric_form.h"

namespace demotic::learn {

// The arrays of a pool. Candidates [offsets[l], offsets[l + 1]) form list l.
struct PoolView {
  std::span<const int64_t> offsets;     // number of lists + 1, ascending from 0
  std::span<const float> dense;         // candidates x dense_features, row-major
  std::span<const int32_t> statistics;  // candidates x statistics_size, row-major
  int32_t dense_features = 0;
  int32_t statistics_size = 0;
  // The parts of each candidate, ascending; a part may be repeated. Empty without sparse features.
  CsrView<int32_t> parts;
  // The features of each part, without repetitions and less than sparse_features, and their values;
  // without values all are 1.
  CsrView<int32_t> part_features;
  std::span<const double> part_values;
  int32_t sparse_features = 0;
  std::span<const double> list_weights;  // one per list; empty if all are 1
};

// Immutable and thread-safe. A weight vector holds the dense weights, then the sparse ones.
class CandidateLists {
 public:
  // Copies the dense features and indexes the distinct statistics; all other arrays must outlive
  // this object. Throws std::invalid_argument if the arrays do not fit together.
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
  // For each candidate of the list, the index of its statistics among the distinct ones of the
  // list; see distinct_statistics.h.
  const int32_t* statistics_ids(int64_t list) const noexcept {
    return distinct_.ids() + first(list);
  }
  const int32_t* distinct_row(int64_t list, int32_t id) const noexcept {
    return distinct_.row(list, id);
  }
  DistinctStatistics::Columns distinct_columns(int64_t list) const noexcept {
    return distinct_.columns(list);
  }
  double mean_of_last_statistic(int64_t list) const noexcept {
    return distinct_.mean_of_last(list);
  }
  // The candidates with the lowest and the highest value of a dense feature, unless all are equal.
  Outermost outermost(int64_t list, int32_t feature) const noexcept {
    const size_t row = 2 * static_cast<size_t>(feature * size() + list);
    return {outermost_[row], outermost_[row + 1]};
  }
  // One dense feature of all candidates of a list.
  const float* column(int64_t list, int32_t feature) const noexcept {
    return columns_.data() + int64_t{feature} * candidates() + first(list);
  }

  // Prefetches the features of a list.
  void prefetch(int64_t list) const noexcept;
  // Prefetches the distinct statistics of a list by column, and those that its candidates have.
  void prefetch_statistics(int64_t list) const noexcept;

  // Scratch for sums of parts; use one per thread.
  using PartSums = std::vector<double>;

  // out[i] = weights . features of the list's candidate i.
  void score(int64_t list, std::span<const double> weights, double* out, PartSums& sums) const;
  // The same under two weight vectors at once: most of the time goes into loading the features.
  void score(int64_t list, const std::array<std::span<const double>, 2>& weights,
             const std::array<double*, 2>& out, PartSums& sums) const;
  // The same with the dense features only.
  void score_dense(int64_t list, std::span<const double> weights, double* out) const;
  // out[i] += weight(id) * value over the sparse features of candidate i.
  template <typename Weight>
  void add_sparse(int64_t list, Weight&& weight, double* out, PartSums& sums) const;

  // Adds the statistics of the highest-scoring candidate (the first one if tied) to `sums`. The
  // list must not be empty.
  void add_best(int64_t list, std::span<const double> scores, std::span<double> sums) const;

  // The parts of a candidate, ascending.
  std::span<const int32_t> parts(int64_t list, int32_t candidate) const noexcept {
    if (pool_.parts.offsets.empty()) return {};
    return pool_.parts[static_cast<size_t>(first(list) + candidate)];
  }
  // Calls visit(feature, value) for every feature of a part.
  template <typename Visit>
  void visit_part(int32_t part, Visit&& visit) const;

 private:
  void find_outermost();
  void index_parts();

  PoolView pool_;
  HugeVector<float> columns_;
  Csr<int32_t> outermost_;  // by feature, then by list: the lowest, then the highest
  DistinctStatistics distinct_;
  Csr<int32_t> list_parts_;           // the parts that occur in each list
  std::vector<int32_t> part_places_;  // for each of pool_.parts, its place in the row of its list
  int32_t longest_ = 0;
};

// Sums the statistics of the best candidate of each list under the weights; ties go to the first.
std::vector<double> best_statistics(const CandidateLists& lists, std::span<const double> weights);

// The mean, over the lists with candidates, of the difference between the highest and the lowest
// score under the weights; 0 without candidates.
double mean_spread(const CandidateLists& lists, std::span<const double> weights);

// The position of the highest of at least one score; ties go to the first.
int32_t highest_of(const double* scores, int32_t count);

// out[i] += factor * values[i]
void add_scaled(const float* values, int32_t count, double factor, double* out);

template <typename Weight>
void CandidateLists::add_sparse(int64_t list, Weight&& weight, double* out, PartSums& sums) const {
  if (pool_.parts.offsets.empty()) return;
  sums.clear();
  for (const int32_t part : list_parts_[list]) {
    double sum = 0;
    visit_part(part, [&](int32_t id, double value) { sum += weight(id) * value; });
    sums.push_back(sum);
  }
  const int64_t* ends = pool_.parts.offsets.data() + first(list);
  for (int32_t i = 0; i < length(list); ++i) {
    double sum = out[i];
    for (int64_t k = ends[i]; k < ends[i + 1]; ++k) sum += sums[part_places_[k]];
    out[i] = sum;
  }
}

template <typename Visit>
void CandidateLists::visit_part(int32_t part, Visit&& visit) const {
  const int32_t* ids = pool_.part_features.values.data();
  const int64_t begin = pool_.part_features.offsets[part];
  const int64_t end = pool_.part_features.offsets[part + 1];
  if (pool_.part_values.empty())
    for (int64_t k = begin; k < end; ++k) visit(pool_.dense_features + ids[k], 1.0);
  else
    for (int64_t k = begin; k < end; ++k)
      visit(pool_.dense_features + ids[k], pool_.part_values[k]);
}

}  // namespace demotic::learn
