// A pool of searchers that are reused between calls: caching the rules of frequent words anew would
// take longer than the search of a short sentence.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "demotic/namespaces.h"

namespace demotic::search {

// Throws std::invalid_argument for a wrong number of weights, ModelError if a weight is not finite
// or so large that scores could overflow.
void check_weights(std::span<const double> weights, int32_t features);

// Thread-safe. The model must outlive it. Results do not depend on which searcher produced them.
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
  const typename Kind::Limits& limits() const noexcept { return limits_; }

  // Takes an idle searcher, or creates one.
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
  // Do not return a searcher after an interrupted or failed search: its state may be inconsistent.
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
