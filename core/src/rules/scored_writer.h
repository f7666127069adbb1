// Scores counted rules with several threads and adds them to others in order of arrival.
#pragma once

#include <array>
#include <vector>

#include "counted_targets.h"
#include "demotic/base/csr.h"
#include "demotic/base/thread_pool.h"
#include "demotic/rules/sorted_rules.h"
#include "rule_scorer.h"

namespace demotic::rules {

class ScoredWriter {
 public:
  // All arguments must outlive it.
  ScoredWriter(const PackedBitext& bitext, const CountedTargets& targets, const RuleScorer& scorer,
               ThreadPool& pool, SortedRules& sorted);

  // Adds rules of one source side, whose counts are `source`. Throws Interrupted.
  void add(std::span<const CountedRule> rules, const SideCounts& source, const StopFlag& stop);
  // Scores everything that has been added and not scored yet.
  void finish(const StopFlag& stop);

 private:
  struct Pending {
    CountedRule counted;
    uint32_t source;  // index in sources_
    bool first;       // whether it is the first of its source side
  };
  struct Scored {
    Csr<RuleLink, uint32_t> links;
    std::vector<float> scores;  // flat
  };
  static constexpr size_t kSpelled = 4;  // rules read from the bitext before the first is scored
  struct Worker {
    RuleScorer scorer;
    std::array<Rule, kSpelled> rules;
  };

  Scored score(std::span<const Pending> rules, Worker& worker) const;
  void add_scores(const Pending& pending, const Rule& rule, RuleScorer& scorer, Scored& to) const;
  void write(std::span<const Pending> rules, const Scored& scored);

  const PackedBitext& bitext_;
  const CountedTargets& targets_;
  ThreadPool& pool_;
  SortedRules& sorted_;
  std::vector<Worker> workers_;
  std::vector<Pending> pending_;
  std::vector<SideCounts> sources_;  // of the pending rules
  std::vector<Symbol> source_;
};

}  // namespace demotic::rules
