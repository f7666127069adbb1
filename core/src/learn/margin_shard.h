// One learner with weights and a background of its own, visiting lists; see margin.h.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "demotic/learn/difference.h"
#include "demotic/learn/margin.h"
#include "demotic/learn/rivals.h"

namespace demotic {

class MarginShard {
 public:
  MarginShard(const CandidateLists& lists, MetricForm form, const MarginOptions& options);

  // A new sweep from common weights; the background stays. While a list is at hand it is also
  // ranked by the weights to judge, if there are any, since memory is what takes the time.
  void begin(std::span<const double> weights, std::span<const double> judged);
  void visit(int64_t list);

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
  // A constraint in the working set of the cutting plane.
  struct Constraint {
    Difference features;  // hope - candidate
    double sign;          // -1 for the upper bound
    int32_t candidate, kind;
  };
  enum Kind : int32_t { kMargin, kUpper, kLower };

  void judge(int64_t list);
  bool passive_aggressive(int64_t list, const Rivals& rivals);
  bool step(const Difference& features, double factor);
  bool cut(int64_t list, const Rivals& rivals);
  double violation(int32_t hope, int32_t candidate, int32_t kind) const;
  bool add_most_violated(int64_t list, int32_t hope);
  void add(Difference&& features, int32_t hope, int32_t candidate, int32_t kind);
  void solve();

  const CandidateLists& lists_;
  const MarginOptions& options_;
  Background background_;
  std::vector<double> weights_, drift_;
  std::vector<double> scores_, gains_;  // of the current list
  std::span<const double> judged_;
  std::vector<double> judged_sums_;
  int64_t visits_ = 0, updates_ = 0;
  double spread_sum_ = 0, spread_squares_ = 0;

  // Of the cutting plane, for one list. The first elements of the problem are the slacks.
  std::vector<Constraint> constraints_;
  std::vector<double> linear_, mass_;
  std::vector<double> inner_;     // of constraint j with 0 .. j, row after row
  std::vector<double> products_;  // the same as a whole square, slacks first
  std::vector<int32_t> blocks_;
};

}  // namespace demotic
