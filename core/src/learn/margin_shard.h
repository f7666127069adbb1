// One learner with its own weights and background; see margin.h.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "demotic/learn/background.h"
#include "demotic/learn/difference.h"
#include "demotic/learn/margin.h"
#include "demotic/learn/rivals.h"

namespace demotic::learn {

// A constraint on the features of two candidates, hope - other: sign * features . w >= ...
struct MarginConstraint {
  enum Kind : int32_t { kMargin, kUpper, kLower };

  Difference features;
  double sign;  // -1 for the upper bound
  int32_t candidate, kind;
};

class MarginShard {
 public:
  MarginShard(const CandidateLists& lists, MetricForm form, const MarginOptions& options);

  // Starts a sweep from common weights, which must stay valid until it ends; the background is
  // kept. If `evaluated` is not empty, each visited list is also ranked with those weights: the
  // time goes into loading the list from memory.
  void begin(std::span<const double> weights, std::span<const double> evaluated);
  // The same, continuing from its own weights.
  void continue_sweep(std::span<const double> evaluated);
  void visit(int64_t list);
  // Resets the weights changed by the last visit to `weights`, their values before it.
  void reset_weights(std::span<const double> weights);
  void move(const Difference& features, double factor) { features.add_to(weights_, factor); }

  // Of the last visit: the constraints, the violation of each before the visit, the length of the
  // step for each, and the budgets of the steps for margins and for bounds.
  std::span<const MarginConstraint> constraints() const noexcept { return constraints_; }
  double violation_before(size_t constraint) const { return linear_[kSlacks + constraint]; }
  double length(size_t constraint) const { return mass_[kSlacks + constraint]; }
  std::span<const double> budgets() const noexcept { return budgets_; }

  std::span<const double> start() const noexcept { return start_; }
  std::span<const double> weights() const noexcept { return weights_; }
  // The average over the visits since begin() is weights() - drift() / visits().
  std::span<const double> drift() const noexcept { return drift_; }
  int64_t visits() const noexcept { return visits_; }
  int64_t updates() const noexcept { return updates_; }
  double spread_sum() const noexcept { return spread_sum_; }
  double spread_squares() const noexcept { return spread_squares_; }
  // Summed statistics of the best candidates under the evaluated weights.
  std::span<const double> evaluated_sums() const noexcept { return evaluated_sums_; }

 private:
  using Kind = MarginConstraint::Kind;
  static constexpr size_t kSlacks = 2;  // one for the margins, one for the bounds

  void begin_sweep(std::span<const double> evaluated);
  void score(int64_t list);
  bool passive_aggressive(int64_t list, const Rivals& rivals);
  void start_visit(int64_t list);
  bool step_along(Difference&& features, int32_t hope, int32_t candidate, int32_t kind,
                  double length);
  bool solve_by_cutting_planes(int64_t list, const Rivals& rivals);
  double violation(int32_t hope, int32_t candidate, int32_t kind) const;
  bool add_most_violated(int64_t list, int32_t hope);
  void add(Difference&& features, int32_t hope, int32_t candidate, int32_t kind);
  void solve();

  const CandidateLists& lists_;
  const MarginOptions& options_;
  Background background_;
  std::span<const double> start_;
  std::vector<double> own_start_, weights_, drift_;
  std::vector<double> scores_, evaluated_scores_, gains_;  // of the current list
  CandidateLists::PartSums part_sums_;
  std::span<const double> evaluated_;
  std::vector<double> evaluated_sums_;
  int64_t visits_ = 0, updates_ = 0;
  double spread_sum_ = 0, spread_squares_ = 0;

  // The problem of one list. Its first elements are the slacks.
  std::vector<MarginConstraint> constraints_;
  std::vector<double> linear_, mass_;
  std::array<double, kSlacks> budgets_{};
  std::vector<double> inner_;     // inner products of constraint j with 0 .. j, row by row
  std::vector<double> products_;  // the same as a full matrix, slacks first
  std::vector<int32_t> blocks_;
};

}  // namespace demotic::learn
