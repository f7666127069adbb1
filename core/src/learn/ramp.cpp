#include "demotic/learn/ramp.h"

#include "demotic/learn/difference.h"

namespace demotic::learn {
namespace {

// w = start + scale * moved: regularisation towards the start costs one multiplication, however
// many features there are.
class RegularizedWeights {
 public:
  explicit RegularizedWeights(std::span<const double> start)
      : start_(start), moved_(start.size(), 0.0), dense_(start.size()) {}

  double operator()(int32_t id) const noexcept { return start_[id] + scale_ * moved_[id]; }

  std::span<const double> dense(int32_t count) {
    for (int32_t f = 0; f < count; ++f) dense_[f] = (*this)(f);
    return dense_;
  }

  void shrink(double factor) {
    scale_ *= factor;
    if (scale_ > 1e-100) return;
    for (double& part : moved_) part *= scale_;
    scale_ = 1;
  }

  void add(const Difference& features, double factor) { features.add_to(moved_, factor / scale_); }

  std::vector<double> all() const {
    std::vector<double> weights(start_.size());
    for (size_t f = 0; f < weights.size(); ++f) weights[f] = (*this)(static_cast<int32_t>(f));
    return weights;
  }

 private:
  std::span<const double> start_;
  std::vector<double> moved_, dense_;
  double scale_ = 1;
};

class Ramp {
 public:
  Ramp(const CandidateLists& lists, std::span<const double> gains, std::span<const double> weights,
       const RampOptions& options)
      : lists_(lists),
        gains_(gains),
        options_(options),
        weights_(weights),
        scores_(lists.longest()),
        hopes_(lists.size()) {}

  void fix_hopes() {
    for (int64_t list = 0; list < lists_.size(); ++list)
      if (lists_.length(list) > 0) hopes_[list] = highest(list, options_.scale);
  }

  void visit(int64_t list) {
    if (lists_.length(list) == 0) return;
    const int32_t fear = highest(list, -options_.scale);
    const double rate = options_.rate * lists_.weight(list);
    weights_.shrink(1 - rate * options_.regularization / static_cast<double>(lists_.size()));
    if (fear != hopes_[list]) weights_.add(Difference(lists_, list, hopes_[list], fear), rate);
  }

  std::vector<double> weights() const { return weights_.all(); }

 private:
  // The candidate with the highest score + scale * gain; ties go to the first.
  int32_t highest(int64_t list, double scale) {
    lists_.score_dense(list, weights_.dense(lists_.dense_features()), scores_.data());
    lists_.add_sparse(list, weights_, scores_.data(), part_sums_);
    const double* gains = gains_.data() + lists_.first(list);
    const int32_t count = lists_.length(list);
    for (int32_t i = 0; i < count; ++i) scores_[i] += scale * gains[i];
    return highest_of(scores_.data(), count);
  }

  const CandidateLists& lists_;
  std::span<const double> gains_;
  const RampOptions& options_;
  RegularizedWeights weights_;
  std::vector<double> scores_;
  CandidateLists::PartSums part_sums_;
  std::vector<int32_t> hopes_;
};

}  // namespace

std::vector<double> learn_ramp(const CandidateLists& lists, std::span<const double> gains,
                               std::span<const double> weights, const RampOptions& options,
                               const StopFlag& stop) {
  Ramp ramp(lists, gains, weights, options);
  for (int32_t round = 0; round < options.rounds; ++round) {
    ramp.fix_hopes();
    for (int32_t pass = 0; pass < options.passes; ++pass)
      for (int64_t list = 0; list < lists.size(); ++list) {
        stop.check();
        ramp.visit(list);
      }
  }
  return ramp.weights();
}

}  // namespace demotic::learn
