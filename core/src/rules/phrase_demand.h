// Which phrases of sentences are not in the store yet, and their rules: rules on demand without
// gaps.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "demand.h"
#include "phrase_sampler.h"

namespace demotic::rules {

class PhraseDemand : public Demand {
 public:
  using Demand::Demand;

  void prepare(std::span<const std::span<const WordId>> sentences, int32_t span_limit,
               ThreadPool& pool, const StopFlag& stop, GrowingRules& rules) override;

 private:
  // A source phrase to be extracted.
  struct Task {
    std::span<const WordId> words;
    TrieNode parent;
  };
  std::vector<Task> missing(std::span<const std::span<const WordId>> sentences,
                            const GrowingRules& rules) const;

  std::vector<std::unique_ptr<PhraseSampler>> samplers_;  // by thread
};

}  // namespace demotic::rules
