// The sampler of pairwise ranking optimisation (Hopkins & May 2011): draws pairs of candidates from
// each list, discards those whose gains differ by too little, and keeps the pairs with the largest
// differences.
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

// Indices of candidates in the whole pool, with gain[better[i]] > gain[worse[i]]. Ordered by list,
// then by descending difference, then by draw. A pair may be drawn more than once.
struct CandidatePairs {
  std::vector<int64_t> better, worse;
};

CandidatePairs sample_pairs(std::span<const int64_t> offsets, std::span<const double> gains,
                            const PairOptions& options, ThreadPool& pool, const StopFlag& stop);

}  // namespace demotic::learn
