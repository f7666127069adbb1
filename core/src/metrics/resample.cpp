#include "demotic/metrics/resample.h"

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "demotic/base/rng.h"
#include "demotic/base/thread_pool.h"

namespace demotic::metrics {

namespace {

void check(const StatisticsView& statistics, int64_t samples) {
  const int64_t row = statistics.columns * statistics.runs;
  if (statistics.columns < 1 || statistics.runs < 1 || samples < 0 || statistics.values.empty() ||
      static_cast<int64_t>(statistics.values.size()) % row != 0)
    throw std::invalid_argument("no statistics, or incomplete rows");
  if (statistics.sentences() > std::numeric_limits<int32_t>::max())
    throw std::invalid_argument("too many sentences to draw from");
}

// Unbiased numbers in [0, bound) (Lemire 2019), with a precomputed division.
class UniformBelow {
 public:
  explicit UniformBelow(uint32_t bound) noexcept
      : bound_(bound), threshold_((0u - bound) % bound) {}

  uint32_t operator()(Rng& rng) const noexcept {
    for (;;) {
      const uint64_t product = (rng.next() >> 32) * bound_;
      if (static_cast<uint32_t>(product) >= threshold_) return static_cast<uint32_t>(product >> 32);
    }
  }

 private:
  uint64_t bound_;
  uint32_t threshold_;
};

// Calls draw(rng, sum) for every sample, each with its own random numbers and row.
template <typename Draw>
std::vector<int64_t> sums(int64_t columns, int64_t samples, uint64_t seed, int threads,
                          const StopFlag& stop, Draw&& draw) {
  std::vector<int64_t> result(samples * columns);
  ThreadPool pool(threads);
  pool.for_each(samples, stop, [&](int64_t sample, int) {
    Rng rng(seed, static_cast<uint64_t>(sample));
    draw(rng, result.data() + sample * columns);
  });
  return result;
}

}  // namespace

std::vector<int64_t> bootstrap_sums(const StatisticsView& statistics, int64_t samples,
                                    uint64_t seed, int threads, const StopFlag& stop) {
  check(statistics, samples);
  const int64_t sentences = statistics.sentences(), columns = statistics.columns;
  const int64_t row = columns * statistics.runs;
  const UniformBelow random_sentence(static_cast<uint32_t>(sentences));
  return sums(columns, samples, seed, threads, stop, [&](Rng& rng, int64_t* sum) {
    for (int64_t s = 0; s < sentences; ++s) {
      const int64_t* values = statistics.values.data() + random_sentence(rng) * row;
      for (int64_t run = 0; run < statistics.runs; ++run, values += columns)
        for (int64_t c = 0; c < columns; ++c) sum[c] += values[c];
    }
  });
}

std::vector<int64_t> shuffle_sums(const StatisticsView& statistics, int64_t picked, int64_t samples,
                                  uint64_t seed, int threads, const StopFlag& stop) {
  check(statistics, samples);
  if (picked < 0 || picked > statistics.runs)
    throw std::invalid_argument("more runs to pick than there are");
  const int64_t columns = statistics.columns;
  std::vector<UniformBelow> random_below;  // by the number of remaining runs
  for (int64_t left = 0; left <= statistics.runs; ++left)
    random_below.emplace_back(static_cast<uint32_t>(std::max<int64_t>(left, 1)));
  return sums(columns, samples, seed, threads, stop, [&](Rng& rng, int64_t* sum) {
    const int64_t* values = statistics.values.data();
    for (int64_t s = 0; s < statistics.sentences(); ++s) {
      int64_t wanted = picked;  // of the remaining runs, every subset being equally likely
      for (int64_t run = 0; run < statistics.runs; ++run, values += columns) {
        const int64_t left = statistics.runs - run;
        if (wanted == 0 || (wanted < left && random_below[left](rng) >= wanted)) continue;
        --wanted;
        for (int64_t c = 0; c < columns; ++c) sum[c] += values[c];
      }
    }
  });
}

}  // namespace demotic::metrics
