#include "demotic/rules/extract_rules.h"

#include "row_extraction.h"
#include "rule_table_builder.h"

namespace demotic::rules {
namespace {

// All steps in one process.
class Builder {
 public:
  Builder(const AlignedBitext& aligned, const LexicalTable& lexicon, const std::string& path,
          const ExtractOptions& options, const StopFlag& stop)
      : bitext(aligned, stop),
        pool(options.threads),
        stop_(stop),
        space_(options, bitext, folder_of(path)),
        filter_(aligned, options, pool.threads(), stop),
        counter_(aligned, bitext, filter_, space_, pool),
        table_(aligned, bitext, lexicon, path, options, space_, pool) {}

  void add(const Occurrence& occurrence) {
    ++report.occurrences;
    counter_.add(occurrence);
  }
  void publish_writes() const noexcept { counter_.publish_writes(); }

  // Counting and scoring take about as long as extraction, so each counts the same.
  void finish(Progress& progress) {
    ProgressPhase phase(progress, report.occurrences, bitext.size());
    counter_.drain(
        stop_, [&] { phase.step(); },
        [&](const Csr<CountedRule>& targets) { table_.add(targets.view()); });
    phase.finish();
    table_.finish(stop_, progress, report);
  }

  const PackedBitext bitext;  // that all occurrences refer to
  ThreadPool pool;
  ExtractReport report;

 private:
  const StopFlag& stop_;
  SortSpace space_;
  RuleFilter filter_;
  OccurrenceCounter counter_;
  RuleTableBuilder table_;
};

}  // namespace

ExtractReport extract_rules(const AlignedBitext& bitext, const LexicalTable& lexicon,
                            const std::string& path, const ExtractOptions& options,
                            const StopFlag& stop, Progress& progress) {
  Builder builder(bitext, lexicon, path, options, stop);
  RowExtraction rows(builder.bitext, options, builder.pool);
  progress.expect(3 * builder.bitext.size());
  rows.run(0, builder.bitext.size(), stop, progress, [&](std::span<const Occurrence> found) {
    for (const Occurrence& occurrence : found) builder.add(occurrence);
    builder.publish_writes();
  });
  builder.report.distortion = rows.distortion();
  builder.report.too_long = count_too_long(bitext);
  builder.report.sentences = bitext.size();
  builder.finish(progress);
  return builder.report;
}

ExtractReport score_pairs(const AlignedBitext& pairs, const LexicalTable& lexicon,
                          const std::string& path, const ExtractOptions& options,
                          const StopFlag& stop, Progress& progress) {
  Builder builder(pairs, lexicon, path, options, stop);
  progress.expect(3 * pairs.size());
  for (int64_t i = 0; i < pairs.size(); ++i) {
    if (i % 1024 == 0) stop.check();
    const auto source = static_cast<int32_t>(pairs.source[i].size());
    const auto target = static_cast<int32_t>(pairs.target[i].size());
    builder.report.too_long += std::max(source, target) > kMaxPhraseSize;
    if (std::max(source, target) <= kMaxPhraseSize && source > 0) {
      Occurrence whole = phrase_occurrence(static_cast<int32_t>(i), {0, source, 0, target});
      whole.key = rule_key(builder.bitext, whole);
      builder.add(whole);
    }
    progress.advance();
  }
  builder.report.sentences = pairs.size();
  builder.finish(progress);
  return builder.report;
}

}  // namespace demotic::rules
