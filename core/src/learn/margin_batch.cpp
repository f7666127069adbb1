#include "margin_batch.h"

#include "demotic/learn/smo.h"

namespace demotic::learn {

MarginBatch::MarginBatch(std::span<const std::unique_ptr<MarginShard>> shards,
                         std::span<const double> weights, const MarginOptions& options)
    : shards_(shards),
      options_(options),
      weights_(weights.begin(), weights.end()),
      drift_(weights.size(), 0.0) {}

void MarginBatch::visit(std::span<const int64_t> lists, ThreadPool& pool, const StopFlag& stop) {
  pool.for_each(static_cast<int64_t>(lists.size()), stop, [&](int64_t shard, int) {
    shards_[shard]->visit(lists[shard]);
    shards_[shard]->reset_weights(weights_);
  });
  if (options_.scheme == MarginScheme::shared)
    apply_joint_step(lists.size());
  else
    apply_mean_step(lists.size());
  visits_ += static_cast<int64_t>(lists.size());
}

// Applies the mean of the steps of the lists.
void MarginBatch::apply_mean_step(size_t lists) {
  for (size_t s = 0; s < lists; ++s) {
    const auto constraints = shards_[s]->constraints();
    for (size_t k = 0; k < constraints.size(); ++k)
      move(constraints[k].features,
           constraints[k].sign * shards_[s]->length(k) / static_cast<double>(lists));
  }
}

// Solves one joint problem of all constraints; each list keeps its own budgets.
void MarginBatch::apply_joint_step(size_t lists) {
  constraints_.clear();
  linear_.assign(2 * lists, 0.0);
  mass_.clear();
  blocks_.clear();
  for (size_t s = 0; s < lists; ++s)
    for (const double budget : shards_[s]->budgets()) {
      blocks_.push_back(static_cast<int32_t>(mass_.size()));
      mass_.push_back(budget);
    }
  for (size_t s = 0; s < lists; ++s) {
    const auto constraints = shards_[s]->constraints();
    for (size_t k = 0; k < constraints.size(); ++k) {
      const bool margin = constraints[k].kind == MarginConstraint::kMargin;
      constraints_.push_back(&constraints[k]);
      linear_.push_back(shards_[s]->violation_before(k));
      blocks_.push_back(static_cast<int32_t>(2 * s + (margin ? 0 : 1)));
      mass_.push_back(0);
    }
  }
  solve(2 * lists);
  for (size_t k = 0; k < constraints_.size(); ++k)
    move(constraints_[k]->features, constraints_[k]->sign * mass_[2 * lists + k]);
}

void MarginBatch::solve(size_t slacks) {
  const size_t size = mass_.size();
  products_.assign(size * size, 0.0);
  for (size_t j = 0; j < constraints_.size(); ++j)
    for (size_t k = 0; k <= j; ++k) {
      const MarginConstraint &one = *constraints_[j], &other = *constraints_[k];
      const double product = one.sign * other.sign * one.features.product(other.features);
      products_[(slacks + j) * size + slacks + k] = product;
      products_[(slacks + k) * size + slacks + j] = product;
    }
  smo({products_, linear_, blocks_, static_cast<int32_t>(slacks)}, options_.tolerance,
      options_.steps, mass_);
}

void MarginBatch::move(const Difference& features, double factor) {
  if (factor == 0) return;
  features.add_to(weights_, factor);
  features.add_to(drift_, factor * static_cast<double>(visits_));
  for (const auto& shard : shards_) shard->move(features, factor);
}

}  // namespace demotic::learn
