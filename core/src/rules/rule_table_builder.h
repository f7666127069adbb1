// Makes a rule store from counted rules: adds up the totals of both sides, scores and writes.
#pragma once

#include <string>

#include "demotic/rules/rule_store_writer.h"
#include "source_scorer.h"
#include "target_counter.h"

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
  RuleSmoothing smoothing_;
  TargetCounter targets_;
  RuleStoreWriter writer_;
  SourceScorer sources_;
};

// A store that rules extracted from `bitext` can be written to.
RuleStoreWriter open_store(const std::string& path, const Corpus& target,
                           const ExtractOptions& options);

// The folder of a file, for scratch files.
std::string folder_of(const std::string& path);

// The number of pairs with a side over kMaxExtractLength.
int64_t count_too_long(const AlignedBitext& bitext);

}  // namespace demotic::rules
