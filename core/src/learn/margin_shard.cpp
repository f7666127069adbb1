#include "margin_shard.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "demotic/learn/smo.h"

namespace demotic::learn {

using enum MarginConstraint::Kind;

MarginShard::MarginShard(const CandidateLists& lists, MetricForm form, const MarginOptions& options)
    : lists_(lists),
      options_(options),
      background_(form, lists.statistics_size(), options.decay),
      scores_(lists.longest()),
      evaluated_scores_(lists.longest()),
      gains_(lists.longest()) {}

void MarginShard::begin(std::span<const double> weights, std::span<const double> evaluated) {
  weights_.assign(weights.begin(), weights.end());
  start_ = weights;
  begin_sweep(evaluated);
}

void MarginShard::continue_sweep(std::span<const double> evaluated) {
  own_start_ = weights_;
  start_ = own_start_;
  begin_sweep(evaluated);
}

void MarginShard::begin_sweep(std::span<const double> evaluated) {
  evaluated_ = evaluated;
  evaluated_sums_.assign(lists_.statistics_size(), 0.0);
  drift_.assign(weights_.size(), 0.0);
  visits_ = updates_ = 0;
  spread_sum_ = spread_squares_ = 0;
}

void MarginShard::reset_weights(std::span<const double> weights) {
  for (const MarginConstraint& constraint : constraints_)
    for (const auto& [id, value] : constraint.features.parts()) weights_[id] = weights[id];
}

void MarginShard::visit(int64_t list) {
  const auto count = static_cast<size_t>(lists_.length(list));
  start_visit(list);
  if (count == 0) return;
  score(list);
  background_.gains(lists_, list, options_.gain_scale, gains_.data());
  const Rivals rivals = choose_rivals({scores_.data(), count}, {gains_.data(), count});
  const double spread = scores_[rivals.hope] - scores_[rivals.worst];
  spread_sum_ += spread;
  spread_squares_ += spread * spread;
  const bool moved = options_.cutting_plane ? solve_by_cutting_planes(list, rivals)
                                            : passive_aggressive(list, rivals);
  updates_ += moved ? 1 : 0;
  ++visits_;
  const int32_t shown = options_.hope_background ? rivals.hope : rivals.best;
  background_.add(lists_, list, shown);
}

// Also ranks the list by the evaluated weights, if there are any.
void MarginShard::score(int64_t list) {
  if (evaluated_.empty()) {
    lists_.score(list, weights_, scores_.data(), part_sums_);
    return;
  }
  lists_.score(list, {weights_, evaluated_}, {scores_.data(), evaluated_scores_.data()},
               part_sums_);
  lists_.add_best(list, evaluated_scores_, evaluated_sums_);
}

// Sets up the budgets and an empty list of constraints.
void MarginShard::start_visit(int64_t list) {
  const double weight = lists_.weight(list);
  budgets_ = {options_.step * weight, options_.bound_step * weight};
  constraints_.clear();
  linear_.assign(kSlacks, 0.0);
  mass_.assign(budgets_.begin(), budgets_.end());
}

// Steps along one constraint and records it. Scores are still those before the visit.
bool MarginShard::step_along(Difference&& features, int32_t hope, int32_t candidate, int32_t kind,
                             double length) {
  const double sign = kind == kUpper ? -1.0 : 1.0;
  if (length != 0) {
    features.add_to(weights_, sign * length);
    features.add_to(drift_, sign * length * static_cast<double>(visits_));
  }
  linear_.push_back(violation(hope, candidate, kind));
  mass_.push_back(length);
  constraints_.push_back({std::move(features), sign, candidate, kind});
  return length != 0;
}

// The bounds are checked under the weights after the previous step; their steps share the budget D.
bool MarginShard::passive_aggressive(int64_t list, const Rivals& rivals) {
  const auto length = [](double violation, const Difference& features, double most) {
    const double norm = features.norm();
    return violation > 0 && norm > 0 ? std::min(most, violation / norm) : 0.0;
  };
  const int32_t hope = rivals.hope;
  Difference margin(lists_, list, hope, rivals.fear);
  const double wanted = length(violation(hope, rivals.fear, kMargin), margin, budgets_[0]);
  bool moved = step_along(std::move(margin), hope, rivals.fear, kMargin, wanted);
  if (std::isinf(options_.bound)) return moved;
  Difference down(lists_, list, hope, rivals.worst);
  const double used = length(down.dot(weights_) - options_.bound, down, budgets_[1]);
  moved |= step_along(std::move(down), hope, rivals.worst, kUpper, used);
  Difference up(lists_, list, hope, rivals.best);
  const double rest = length(-up.dot(weights_) - options_.bound, up, budgets_[1] - used);
  return step_along(std::move(up), hope, rivals.best, kLower, rest) || moved;
}

double MarginShard::violation(int32_t hope, int32_t candidate, int32_t kind) const {
  const double difference = scores_[hope] - scores_[candidate];
  if (kind == kMargin) return gains_[hope] - gains_[candidate] - difference;
  return (kind == kUpper ? difference : -difference) - options_.bound;
}

bool MarginShard::solve_by_cutting_planes(int64_t list, const Rivals& rivals) {
  inner_.clear();
  blocks_ = {0, 1};
  for (int32_t i = 0; i < options_.steps && add_most_violated(list, rivals.hope); ++i) {
    solve();
    lists_.score(list, weights_, scores_.data(), part_sums_);
  }
  bool moved = false;
  for (size_t k = 0; k < constraints_.size(); ++k) {
    const double factor = constraints_[k].sign * mass_[kSlacks + k];
    constraints_[k].features.add_to(drift_, factor * static_cast<double>(visits_));
    moved |= factor != 0;
  }
  return moved;
}

// A violation is measured by how much it exceeds the slack that its kind already has.
bool MarginShard::add_most_violated(int64_t list, int32_t hope) {
  const int32_t kinds = std::isinf(options_.bound) ? 1 : 3;
  std::array<double, 3> slack{};
  for (const MarginConstraint& known : constraints_)
    slack[known.kind] = std::max(slack[known.kind], violation(hope, known.candidate, known.kind));
  slack[kUpper] = slack[kLower] = std::max(slack[kUpper], slack[kLower]);
  int32_t candidate = -1, kind = 0;
  double most = options_.tolerance;
  for (int32_t k = 0; k < kinds; ++k)
    for (int32_t i = 0; i < lists_.length(list); ++i)
      if (const double excess = violation(hope, i, k) - slack[k]; excess > most)
        most = excess, candidate = i, kind = k;
  if (candidate < 0) return false;
  add(Difference(lists_, list, hope, candidate), hope, candidate, kind);
  return true;
}

// The linear term refers to the weights before this list, so the steps taken since are subtracted.
void MarginShard::add(Difference&& features, int32_t hope, int32_t candidate, int32_t kind) {
  const double sign = kind == kUpper ? -1.0 : 1.0;
  double moved = 0;
  for (size_t k = 0; k < constraints_.size(); ++k) {
    inner_.push_back(sign * constraints_[k].sign * features.product(constraints_[k].features));
    moved += mass_[kSlacks + k] * inner_.back();
  }
  inner_.push_back(features.norm());
  linear_.push_back(violation(hope, candidate, kind) + moved);
  blocks_.push_back(kind == kMargin ? 0 : 1);
  mass_.push_back(0);
  constraints_.push_back({std::move(features), sign, candidate, kind});
}

// Removes the old solution from the weights, solves the problem and adds the new solution.
void MarginShard::solve() {
  const size_t size = mass_.size();
  products_.assign(size * size, 0.0);
  for (size_t j = 0, at = 0; j < constraints_.size(); ++j)
    for (size_t k = 0; k <= j; ++k, ++at) {
      products_[(kSlacks + j) * size + kSlacks + k] = inner_[at];
      products_[(kSlacks + k) * size + kSlacks + j] = inner_[at];
    }
  for (size_t k = 0; k < constraints_.size(); ++k)
    constraints_[k].features.add_to(weights_, -constraints_[k].sign * mass_[kSlacks + k]);
  smo({products_, linear_, blocks_, kSlacks}, options_.tolerance, options_.steps, mass_);
  for (size_t k = 0; k < constraints_.size(); ++k)
    constraints_[k].features.add_to(weights_, constraints_[k].sign * mass_[kSlacks + k]);
}

}  // namespace demotic::learn
