// One learner with weights and a background of its own, visiting lists; see margin.h.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "demotic/learn/difference.h"
#include "demotic/learn/margin.h"
#include "demotic/learn/rivals.h"

namespace demotic::learn {

// What is asked of the features of two candidates, hope - other: sign * features . w >= ...
struct MarginConstraint {
  enum Kind : int32_t { kMargin, kUpper, kLower };

  Difference features;
  double sign;  // -1 for the upper bound
  int32_t candidate, kind;
};

class MarginShard {
 public:
  MarginShard(const CandidateLists& lists, MetricForm form, const MarginOptions& options);

  // A new sweep from common weights; the background stays. While a list is at hand it is also
  // ranked by the weights to judge, if there are any, since memory is what takes the time.
  void begin(std::span<const double> weights, std::span<const double> judged);
  // The same from its own weights.
  void go_on(std::span<const double> judged);
  void visit(int64_t list);
  // Weights as the last visit found them, which were these.
  void take_back(std::span<const double> weights);
  void move(const Difference& features, double factor) { features.add_to(weights_, factor); }

  // Of the last visit: what was asked, by how much it was violated before, and the length of the
  // step for it; what steps for margins and for bounds may add up to.
  std::span<const MarginConstraint> constraints() const noexcept { return constraints_; }
  double violation_before(size_t constraint) const { return linear_[kSlacks + constraint]; }
  double length(size_t constraint) const { return mass_[kSlacks + constraint]; }
  std::span<const double> budgets() const noexcept { return budgets_; }

  std::span<const double> start() const noexcept { return start_; }
  std::span<const double> weights() const noexcept { return weights_; }
  // weights() - drift() / visits is the average over the visits since begin().
  std::span<const double> drift() const noexcept { return drift_; }
  int64_t visits() const noexcept { return visits_; }
  int64_t updates() const noexcept { return updates_; }
  double spread_sum() const noexcept { return spread_sum_; }
  double spread_squares() const noexcept { return spread_squares_; }
  // Statistics of the best candidates under the weights to judge.
  std::span<const double> judged_sums() const noexcept { return judged_sums_; }

 private:
  using Kind = MarginConstraint::Kind;
  static constexpr size_t kSlacks = 2;  // one for the margins, one for the bounds

  void judge(int64_t list);
  bool passive_aggressive(int64_t list, const Rivals& rivals);
  void open(int64_t list);
  bool take(Difference&& features, int32_t hope, int32_t candidate, int32_t kind, double length);
  bool cut(int64_t list, const Rivals& rivals);
  double violation(int32_t hope, int32_t candidate, int32_t kind) const;
  bool add_most_violated(int64_t list, int32_t hope);
  void add(Difference&& features, int32_t hope, int32_t candidate, int32_t kind);
  void solve();

  const CandidateLists& lists_;
  const MarginOptions& options_;
  Background background_;
  std::vector<double> start_, weights_, drift_;
  std::vector<double> scores_, gains_;  // of the current list
  std::span<const double> judged_;
  std::vector<double> judged_sums_;
  int64_t visits_ = 0, updates_ = 0;
  double spread_sum_ = 0, spread_squares_ = 0;

  // For one list. The first elements of the problem are the slacks.
  std::vector<MarginConstraint> constraints_;
  std::vector<double> linear_, mass_;
  std::array<double, kSlacks> budgets_{};
  std::vector<double> inner_;     // of constraint j with 0 .. j, row after row
  std::vector<double> products_;  // the same as a whole square, slacks first
  std::vector<int32_t> blocks_;
};

}  // namespace demotic::learn
