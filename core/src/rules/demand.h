// What finds the rules of sentences in an indexed bitext and adds them to a store.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "demotic/base/thread_pool.h"
#include "demotic/rules/bitext_index.h"
#include "growing_rules.h"

namespace demotic::rules {

class Demand {
 public:
  // All arguments must outlive it. The parts of the bitext are those of the indices.
  Demand(const std::vector<BitextIndex>& indices, const PackedBitext& bitext,
         const ExtractOptions& options)
      : indices_(indices), bitext_(bitext), options_(options) {}
  virtual ~Demand() = default;

  // Adds what is missing for the sentences; see RuleStore::prepare. One call at a time.
  virtual void prepare(std::span<const std::span<const WordId>> sentences, int32_t span_limit,
                       ThreadPool& pool, const StopFlag& stop, GrowingRules& rules) = 0;

 protected:
  const std::vector<BitextIndex>& indices_;
  const PackedBitext& bitext_;
  const ExtractOptions& options_;
};

}  // namespace demotic::rules
