// Scores counted rules with several threads and writes them in order of arrival.
#pragma once

#include <array>
#include <vector>

#include "demotic/base/csr.h"
#include "demotic/base/thread_pool.h"
#include "demotic/rules/rule_store_writer.h"
#include "rule_scorer.h"

namespace demotic::rules {

class ScoredWriter {
 public:
  // All arguments must outlive it.
  ScoredWriter(const PackedBitext& bitext, const LexicalTable& lexicon,
               const ExtractOptions& options, ThreadPool& pool, RuleStoreWriter& writer);

  // Adds the rules of one source side with total count `total`. Throws Interrupted.
  void add(std::span<const CountedRule> rules, double total, const StopFlag& stop);
  // Writes everything that has been added and not written yet.
  void finish(const StopFlag& stop);

 private:
  struct Pending {
    CountedRule counted;
    double source_total;
    bool first;  // whether it is the first of its source side
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
  static void add_scores(const Pending& pending, const Rule& rule, RuleScorer& scorer, Scored& to);
  void write(std::span<const Pending> rules, const Scored& scored);

  const PackedBitext& bitext_;
  ThreadPool& pool_;
  RuleStoreWriter& writer_;
  std::vector<Worker> workers_;
  std::vector<Pending> pending_;
  std::vector<Symbol> source_;
};

}  // namespace demotic::rules
