#include "demotic/learn/mert.h"

#include <optional>

#include "climb.h"
#include "demotic/learn/line_search.h"

namespace demotic::learn {
namespace {

// Candidate lists and their current scores, as the space that climb.h searches.
class ListSpace {
 public:
  ListSpace(const CandidateLists& lists, MetricForm form)
      : lists_(lists), form_(form), search_(lists, form), scores_(lists.candidates()) {}

  int32_t directions() const { return lists_.dense_features(); }

  void rescore(std::span<const double> weights) {
    CandidateLists::PartSums sums;
    for (int64_t list = 0; list < lists_.size(); ++list) {
      if (list + 1 < lists_.size()) lists_.prefetch(list + 1);
      lists_.score(list, weights, scores_.data() + lists_.first(list), sums);
    }
  }

  LinePoint along_feature(int32_t feature, const StopFlag& stop) {
    return search_.along_feature(scores_, feature, stop);
  }
  LinePoint along(std::span<const double> direction, const StopFlag& stop) {
    return search_.along(scores_, direction, stop);
  }

  void move(int32_t feature, double step) {
    for (int64_t list = 0; list < lists_.size(); ++list) {
      add_scaled(lists_.column(list, feature), lists_.length(list), step,
                 scores_.data() + lists_.first(list));
    }
  }

  double score() const {
    std::vector<double> sums(lists_.statistics_size(), 0.0);
    const std::span<const double> scores = scores_;
    for (int64_t list = 0; list < lists_.size(); ++list)
      if (lists_.length(list) > 0) lists_.add_best(list, scores.subspan(lists_.first(list)), sums);
    return score_of(form_, sums);
  }

 private:
  const CandidateLists& lists_;
  const MetricForm form_;
  LineSearch search_;
  HugeVector<double> scores_;
};

}  // namespace

MertResult mert(const CandidateLists& lists, MetricForm form, std::span<const double> weights,
                const MertOptions& options, ThreadPool& pool, const StopFlag& stop) {
  MertResult result;
  std::vector<std::optional<ListSpace>> spaces(pool.threads());
  pool.map_reduce(
      options.restarts + 1, stop,
      [&](int64_t start, int worker) {
        if (!spaces[worker]) spaces[worker].emplace(lists, form);
        return climb(*spaces[worker], weights, start, options, stop);
      },
      [&](int64_t, Optimum&& optimum) { add_optimum(result, std::move(optimum)); });
  return result;
}

}  // namespace demotic::learn
