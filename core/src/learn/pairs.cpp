#include "demotic/learn/pairs.h"

#include <algorithm>
#include <cmath>

#include "demotic/base/rng.h"

namespace demotic::learn {
namespace {

struct Drawn {
  double difference;
  int32_t number;  // index of the draw
  uint32_t a, b;   // positions in the list
};

std::vector<Drawn> draw(std::span<const double> gains, const PairOptions& options, Rng rng) {
  std::vector<Drawn> found;
  const uint64_t count = gains.size();
  for (int32_t number = 0; number < options.draws; ++number) {
    // Two positions from one random number: 32 bits each, scaled.
    const uint64_t bits = rng.next();
    const auto a = static_cast<uint32_t>((bits >> 32) * count >> 32);
    const auto b = static_cast<uint32_t>((bits & 0xffffffffu) * count >> 32);
    const double difference = std::abs(gains[a] - gains[b]);
    if (difference > options.threshold) found.push_back({difference, number, a, b});
  }
  const auto before = [](const Drawn& x, const Drawn& y) {
    return x.difference != y.difference ? x.difference > y.difference : x.number < y.number;
  };
  const size_t kept = std::min(found.size(), static_cast<size_t>(options.kept));
  std::partial_sort(found.begin(), found.begin() + kept, found.end(), before);
  found.resize(kept);
  return found;
}

}  // namespace

CandidatePairs sample_pairs(std::span<const int64_t> offsets, std::span<const double> gains,
                            const PairOptions& options, ThreadPool& pool, const StopFlag& stop) {
  const Rng rounds = Rng(options.seed).fork(options.round);
  CandidatePairs pairs;
  pool.map_reduce(
      static_cast<int64_t>(offsets.size()) - 1, stop,
      [&](int64_t list, int) {
        const auto own = gains.subspan(offsets[list], offsets[list + 1] - offsets[list]);
        return own.size() < 2 ? std::vector<Drawn>() : draw(own, options, rounds.fork(list));
      },
      [&](int64_t list, std::vector<Drawn>&& drawn) {
        for (const Drawn& pair : drawn) {
          const int64_t a = offsets[list] + pair.a, b = offsets[list] + pair.b;
          pairs.better.push_back(gains[a] > gains[b] ? a : b);
          pairs.worse.push_back(gains[a] > gains[b] ? b : a);
        }
      });
  return pairs;
}

}  // namespace demotic::learn
