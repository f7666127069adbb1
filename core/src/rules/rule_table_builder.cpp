#include "rule_table_builder.h"

#include <filesystem>

namespace demotic::rules {

std::string folder_of(const std::string& path) {
  return std::filesystem::absolute(path).parent_path().string();
}

int64_t count_too_long(const AlignedBitext& bitext) {
  int64_t count = 0;
  for (int64_t i = 0; i < bitext.size(); ++i)
    count += std::max(bitext.source[i].size(), bitext.target[i].size()) > kMaxExtractLength;
  return count;
}

RuleStoreWriter open_store(const std::string& path, const Corpus& target,
                           const ExtractOptions& options) {
  return {path, score_names(options), {"X", "S"}, frequent_first(target.words())};
}

RuleTableBuilder::RuleTableBuilder(const AlignedBitext& bitext, const PackedBitext& packed,
                                   const LexicalTable& lexicon, const std::string& path,
                                   const ExtractOptions& options, const SortSpace& space,
                                   ThreadPool& pool)
    : smoothing_(options.smoothing),
      targets_(packed, smoothing_),
      writer_(open_store(path, bitext.target, options)),
      sources_(bitext, packed, RuleScorer(lexicon, options, smoothing_), smoothing_, space, pool,
               writer_.rules()) {}

void RuleTableBuilder::add(const CsrView<CountedRule>& targets) {
  targets_.add(
      targets,
      [&](std::span<const Symbol> symbols, float total) {
        return writer_.add_target(symbols, total);
      },
      [&](std::span<const CountedRule> group, std::optional<uint32_t> place,
          const SideCounts& counts) { sources_.add(group, place, counts); });
  sources_.publish_writes();
}

void RuleTableBuilder::finish(const StopFlag& stop, Progress& progress, ExtractReport& report) {
  smoothing_.finish();
  sources_.finish(stop, progress, report);
  writer_.commit();
}

}  // namespace demotic::rules
