// The searchers of one decoder, kept between calls: a searcher's memory of the rules of frequent
// words costs more than the search of a short sentence.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "demotic/namespaces.h"

namespace demotic::search {

// Throws std::invalid_argument for another number of weights than of features, ModelError if one is
// no number or so large that scores would not be.
void check_weights(std::span<const double> weights, int32_t features);

// Thread-safe. The model has to outlive it. A result does not depend on which searcher found it.
template <typename Kind>
class Searchers {
 public:
  using Model = typename Kind::Model;
  using Search = typename Kind::Search;

  // Throws as check_weights does.
  Searchers(const Model& model, std::span<const double> weights,
            const typename Kind::Limits& limits)
      : model_(model), weights_(weights.begin(), weights.end()), limits_(limits) {
    check_weights(weights, model.features().size());
  }

  const Model& model() const noexcept { return model_; }
  std::span<const double> weights() const noexcept { return weights_; }

  // One that is idle, or a new one.
  std::unique_ptr<Search> take() {
    {
      std::lock_guard lock(mutex_);
      if (!idle_.empty()) {
        auto search = std::move(idle_.back());
        idle_.pop_back();
        return search;
      }
    }
    return std::make_unique<Search>(model_, weights_, limits_);
  }
  // Not after a search that was stopped or failed: it may have left half of something.
  void give_back(std::unique_ptr<Search> search) {
    std::lock_guard lock(mutex_);
    idle_.push_back(std::move(search));
  }

 private:
  const Model& model_;
  const std::vector<double> weights_;
  const typename Kind::Limits limits_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Search>> idle_;
};

}  // namespace demotic::search
