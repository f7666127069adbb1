#include "demotic/search/potential.h"

#include <algorithm>
#include <limits>

namespace demotic::search {

void PhrasePotential::find(uint32_t, uint32_t hypothesis, Surroundings& around) {
  around.clear();
  const PhraseSearch& search = steps_.search();
  search.for_each_gap(hypothesis, [&](int32_t begin, int32_t end) {
    search.future_costs().for_each_phrase(search.options(), begin, end, [&](uint32_t option) {
      steps_.append_words(option, around.after);
    });
  });
}

void PhrasePotential::add_future_features(uint32_t hypothesis, std::span<double> values) const {
  steps_.add_future_features(hypothesis, steps_.search().has_future_cost(), values);
}

HieroPotential::HieroPotential(const HieroSteps& steps) : steps_(steps) {
  const HieroSearch& search = steps.search();
  const auto bins = search.bins();
  std::vector<uint32_t> order;
  for (uint32_t b = 0; b < bins.size(); ++b)
    if (!HieroSearch::started(bins[b]) && bins[b].count() > 0) order.push_back(b);
  const auto end = [&](uint32_t b) { return bins[b].end; };
  const auto begin = [&](uint32_t b) { return bins[b].begin; };
  std::ranges::stable_sort(order, std::less{}, end);
  fill(before_, 0, search.length(), order, end, begin);
  std::ranges::stable_sort(order, std::greater{}, begin);
  fill(after_, search.length(), 0, order, begin, end);
}

// `order` lists the bins by the position they lead to, nearest to `start` first.
template <typename To, typename From>
void HieroPotential::fill(std::vector<Best>& best, int32_t start, int32_t goal,
                          const std::vector<uint32_t>& order, To&& to, From&& from) const {
  const HieroSearch& search = steps_.search();
  best.assign(search.length() + size_t{1}, {-std::numeric_limits<float>::infinity(), 0, kNone});
  best[start].score = 0;
  const int32_t step = goal < start ? -1 : 1;
  auto next = order.begin();
  for (int32_t at = start + step; at != goal + step; at += step) {
    for (; next != order.end() && to(*next) == at; ++next) {
      const uint32_t hypothesis = search.bins()[*next].first;
      const float score = best[from(*next)].score + search.hypotheses()[hypothesis].score;
      if (score > best[at].score) best[at] = {score, from(*next), hypothesis};
    }
    if (best[at].hypothesis == kNone) best[at] = {best[at - step].score, at - step, kNone};
  }
}

void HieroPotential::find(uint32_t bin, uint32_t, Surroundings& around) {
  if (bin == last_bin_) return;
  last_bin_ = bin;
  around.clear();
  const HieroSearch& search = steps_.search();
  std::vector<uint32_t> pieces;
  for (int32_t at = search.bins()[bin].begin; at > 0; at = before_[at].from)
    if (before_[at].hypothesis != kNone) pieces.push_back(before_[at].hypothesis);
  for (auto piece = pieces.rbegin(); piece != pieces.rend(); ++piece)
    append_yield(steps_, *piece, around.before);
  for (int32_t at = search.bins()[bin].end; at < search.length(); at = after_[at].from)
    if (after_[at].hypothesis != kNone) append_yield(steps_, after_[at].hypothesis, around.after);
}

}  // namespace demotic::search
