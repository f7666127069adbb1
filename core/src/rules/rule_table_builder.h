// Makes a rule store from counted rules: adds up the totals of both sides, scores and writes.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "occurrence_counter.h"
#include "progress_phase.h"
#include "scored_writer.h"

namespace demotic::rules {

class RuleTableBuilder {
 public:
  // The references must outlive it; the store is written to `path` by `finish`.
  RuleTableBuilder(const AlignedBitext& bitext, const PackedBitext& packed,
                   const LexicalTable& lexicon, const std::string& path,
                   const ExtractOptions& options, const SortSpace& space, ThreadPool& pool);

  // The rules of target sides, one row each, by rising key of the target sides.
  void add(const CsrView<CountedRule>& targets);
  // Fills in the numbers of rules.
  void finish(const StopFlag& stop, Progress& progress, ExtractReport& report);

 private:
  using Group = std::span<const CountedRule>;

  void add_target(Group group);
  void write_source(std::vector<CountedRule>& group, const StopFlag& stop, ExtractReport& report);

  const PackedBitext& bitext_;
  BySource by_source_order_;
  SourceSorter by_source_;
  RuleSmoothing smoothing_;
  CountedTargets targets_;
  RuleStoreWriter writer_;
  ScoredWriter scored_writer_;
  std::vector<Symbol> buffer_;
  int64_t counted_ = 0;  // rules, including those that will be removed
};

// The folder of a file, for scratch files.
std::string folder_of(const std::string& path);

// The number of pairs with a side over kMaxExtractLength.
int64_t count_too_long(const AlignedBitext& bitext);

}  // namespace demotic::rules
