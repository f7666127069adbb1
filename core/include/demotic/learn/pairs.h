// The sampler of pairwise ranking optimisation (Hopkins & May 2011): of every list draw pairs of
// candidates, keep those whose gains differ by more than a threshold, and of these the ones that
// differ most.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "demotic/base/stop.h"
#include "demotic/base/thread_pool.h"

namespace demotic::learn {

struct PairOptions {
  int32_t draws = 5000;
  int32_t kept = 50;
  double threshold = 0.05;
  uint64_t seed = 1, round = 1;  // list l draws from (seed, round, l)
};

// Candidates of the whole pool, pair i with gain[better[i]] > gain[worse[i]]; list by list, larger
// differences first, of equal ones those drawn first. A pair may be drawn more than once.
struct CandidatePairs {
  std::vector<int64_t> better, worse;
};

CandidatePairs sample_pairs(std::span<const int64_t> offsets, std::span<const double> gains,
                            const PairOptions& options, ThreadPool& pool, const StopFlag& stop);

}  // namespace demotic::learn
