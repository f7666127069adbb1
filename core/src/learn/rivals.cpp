#include "demotic/learn/rivals.h"

#include "lanes.h"

namespace demotic::learn {
namespace {

Rivals rivals_of_few(std::span<const double> scores, std::span<const double> gains) {
  Rivals found;
  double hope = scores[0] + gains[0], fear = scores[0] - gains[0];
  for (int32_t i = 1; i < static_cast<int32_t>(scores.size()); ++i) {
    if (scores[i] + gains[i] > hope) hope = scores[i] + gains[i], found.hope = i;
    if (scores[i] - gains[i] > fear) fear = scores[i] - gains[i], found.fear = i;
    if (scores[i] > scores[found.best]) found.best = i;
    if (scores[i] < scores[found.worst]) found.worst = i;
  }
  return found;
}

DEMOTIC_CLONES
Rivals rivals_of_many(const double* scores, const double* gains, int32_t count) {
  RunningHighest hope, fear, best, worst;
  visit_vectors(count, [&](int32_t i, const Integers& at) {
    const Doubles score = load(scores + i), gain = load(gains + i);
    hope.add(score + gain, at);
    fear.add(score - gain, at);
    best.add(score, at);
    worst.add(-score, at);
  });
  return {hope.first().index, fear.first().index, best.first().index, worst.first().index};
}

}  // namespace

Rivals choose_rivals(std::span<const double> scores, std::span<const double> gains) {
  const auto count = static_cast<int32_t>(scores.size());
  return count < kWide ? rivals_of_few(scores, gains)
                       : rivals_of_many(scores.data(), gains.data(), count);
}

}  // namespace demotic::learn
