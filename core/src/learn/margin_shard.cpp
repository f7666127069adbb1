#include "margin_shard.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "demotic/learn/smo.h"

namespace demotic {
namespace {

constexpr int32_t kSlacks = 2;  // one for the margins, one for the bounds

}  // namespace

MarginShard::MarginShard(const CandidateLists& lists, MetricForm form, const MarginOptions& options)
    : lists_(lists),
      options_(options),
      background_(form, lists.statistics_size(), options.decay),
      scores_(lists.longest()),
      gains_(lists.longest()) {}

void MarginShard::begin(std::span<const double> weights, std::span<const double> judged) {
  judged_ = judged;
  judged_sums_.assign(lists_.statistics_size(), 0.0);
  weights_.assign(weights.begin(), weights.end());
  drift_.assign(weights.size(), 0.0);
  visits_ = updates_ = 0;
  spread_sum_ = spread_squares_ = 0;
}

void MarginShard::visit(int64_t list) {
  const auto count = static_cast<size_t>(lists_.length(list));
  if (count == 0) return;
  if (!judged_.empty()) judge(list);
  lists_.score(list, weights_, scores_.data());
  background_.gains(lists_, list, options_.gain_scale, gains_.data());
  const Rivals rivals = choose({scores_.data(), count}, {gains_.data(), count});
  const double spread = scores_[rivals.hope] - scores_[rivals.worst];
  spread_sum_ += spread;
  spread_squares_ += spread * spread;
  const bool moved = options_.cutting_plane ? cut(list, rivals) : passive_aggressive(list, rivals);
  updates_ += moved ? 1 : 0;
  ++visits_;
  const int32_t shown = options_.hope_background ? rivals.hope : rivals.best;
  background_.add(lists_.statistics(lists_.first(list) + shown));
}

void MarginShard::judge(int64_t list) {
  lists_.score(list, judged_, scores_.data());
  lists_.add_best(list, scores_, judged_sums_);
}

bool MarginShard::step(const Difference& features, double factor) {
  if (factor == 0) return false;
  features.add_to(weights_, factor);
  features.add_to(drift_, factor * static_cast<double>(visits_));
  return true;
}

// Bounds are judged by the weights as the step before them left them; their steps share D.
bool MarginShard::passive_aggressive(int64_t list, const Rivals& rivals) {
  const double weight = lists_.weight(list);
  const auto length = [](double violation, const Difference& features, double most) {
    const double norm = features.norm();
    return violation > 0 && norm > 0 ? std::min(most, violation / norm) : 0.0;
  };
  const Difference margin(lists_, list, rivals.hope, rivals.fear);
  bool moved = step(
      margin, length(violation(rivals.hope, rivals.fear, kMargin), margin, options_.step * weight));
  if (std::isinf(options_.bound)) return moved;
  const double budget = options_.bound_step * weight;
  const Difference down(lists_, list, rivals.hope, rivals.worst);
  const double used = length(down.dot(weights_) - options_.bound, down, budget);
  moved |= step(down, -used);
  const Difference up(lists_, list, rivals.hope, rivals.best);
  moved |= step(up, length(-up.dot(weights_) - options_.bound, up, budget - used));
  return moved;
}

double MarginShard::violation(int32_t hope, int32_t candidate, int32_t kind) const {
  const double difference = scores_[hope] - scores_[candidate];
  if (kind == kMargin) return gains_[hope] - gains_[candidate] - difference;
  return (kind == kUpper ? difference : -difference) - options_.bound;
}

bool MarginShard::cut(int64_t list, const Rivals& rivals) {
  const double weight = lists_.weight(list);
  constraints_.clear();
  inner_.clear();
  linear_.assign(kSlacks, 0.0);
  blocks_ = {0, 1};
  mass_ = {options_.step * weight, options_.bound_step * weight};
  for (int32_t i = 0; i < options_.steps && add_most_violated(list, rivals.hope); ++i) {
    solve();
    lists_.score(list, weights_, scores_.data());
  }
  bool moved = false;
  for (size_t k = 0; k < constraints_.size(); ++k) {
    const double factor = constraints_[k].sign * mass_[kSlacks + k];
    constraints_[k].features.add_to(drift_, factor * static_cast<double>(visits_));
    moved |= factor != 0;
  }
  return moved;
}

// A violation counts by how much it exceeds the slack that its kind already pays.
bool MarginShard::add_most_violated(int64_t list, int32_t hope) {
  const int32_t kinds = std::isinf(options_.bound) ? 1 : 3;
  std::array<double, 3> slack{};
  for (const Constraint& known : constraints_)
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

// The linear part belongs to the weights before this list: what was moved since is taken out.
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

// Takes the old solution out of the weights, solves, and puts the new one in.
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

}  // namespace demotic
