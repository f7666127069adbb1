#include "rule_table_builder.h"

#include <filesystem>

#include "prefetch.h"

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

RuleTableBuilder::RuleTableBuilder(const AlignedBitext& bitext, const PackedBitext& packed,
                                   const LexicalTable& lexicon, const std::string& path,
                                   const ExtractOptions& options, const SortSpace& space,
                                   ThreadPool& pool)
    : bitext_(packed),
      by_source_order_{&packed, SourceOrder(bitext.source)},
      by_source_(space.memory, space.folder, by_source_order_, space.blocks),
      smoothing_(options.smoothing),
      targets_(smoothing_.used()),
      writer_(path, score_names(options), {"X", "S"}, frequent_first(bitext.target.words())),
      scored_writer_(packed, targets_, RuleScorer(lexicon, options, smoothing_), pool, writer_) {}

void RuleTableBuilder::add(const CsrView<CountedRule>& targets) {
  const auto place = [&](size_t i) -> const RulePlace& { return targets[i].front().place; };
  PrefetchAhead ahead(
      targets.size(), [&](size_t i) { bitext_.prefetch(place(i).sentence); },
      [&](size_t i) { prefetch_words(bitext_, place(i)); });
  for (size_t i = 0; i < targets.size(); ++i) {
    ahead.move_to(i);
    add_target(targets[i]);
  }
  by_source_.publish_writes();
}

// Adds all rules of one target side, which is written unless all of them are removed.
void RuleTableBuilder::add_target(Group group) {
  const SideCounts counts = smoothing_.counts(group);
  smoothing_.add(group);
  uint32_t target = CountedRule::kRemoved;
  if (!std::ranges::all_of(group, &CountedRule::removed)) {
    const auto symbols = target_symbols(bitext_, group[0].place, buffer_);
    target = targets_.add(writer_.add_target(symbols, static_cast<float>(counts.total)), counts);
  }
  for (CountedRule rule : group) {
    if (!rule.removed()) rule.target = target;
    by_source_.add(rule);
  }
  counted_ += static_cast<int64_t>(group.size());
}

// Second sort: totals of source sides, and the rules in the order of the trie.
void RuleTableBuilder::finish(const StopFlag& stop, Progress& progress, ExtractReport& report) {
  smoothing_.finish();
  ProgressPhase phase(progress, counted_, bitext_.size());
  std::vector<CountedRule> group;
  by_source_.drain(stop, [&](const CountedRule& rule) {
    if (!group.empty() && !by_source_order_.same(group.front(), rule)) {
      write_source(group, stop, report);
      group.clear();
    }
    group.push_back(rule);
    phase.step();
  });
  if (!group.empty()) write_source(group, stop, report);
  scored_writer_.finish(stop);
  phase.finish();
  writer_.commit();
}

void RuleTableBuilder::write_source(std::vector<CountedRule>& group, const StopFlag& stop,
                                    ExtractReport& report) {
  const SideCounts counts = smoothing_.counts(group);
  report.rules += static_cast<int64_t>(group.size());
  report.removed += static_cast<int64_t>(std::erase_if(group, &CountedRule::removed));
  scored_writer_.add(group, counts, stop);
}

}  // namespace demotic::rules
