#include "hiero_sections.h"

#include "demotic/rules/target_totals.h"
#include "occurrence_counter.h"
#include "row_extraction.h"
#include "rule_smoothing.h"
#include "rule_table_builder.h"

namespace demotic::rules {
namespace {

constexpr size_t kPiece = size_t{1} << 16;  // entries written at once

class TargetSides {
 public:
  TargetSides(const HieroSource& source, ThreadPool& pool)
      : source_(source),
        space_(source.options, source.bitext, folder_of(source.path)),
        filter_(source.aligned, source.options, pool.threads(), source.stop),
        counter_(source.aligned, source.bitext, filter_, space_, pool) {}

  void add(std::span<const Occurrence> found) {
    for (const Occurrence& occurrence : found) counter_.add(occurrence);
    occurrences_ += static_cast<int64_t>(found.size());
    counter_.publish_writes();
  }

  void write(ContainerWriter& writer) {
    TargetTotalsWriter totals(occurrences_ / 2);
    const RuleSmoothing unsmoothed(Smoothing::kNone);
    std::vector<TargetTotals::Entry> entries;
    std::vector<Symbol> buffer;
    const auto flush = [&] {
      writer.append(std::span<const TargetTotals::Entry>(entries));
      entries.clear();
    };
    writer.begin_section("target_totals", sizeof(TargetTotals::Entry));
    counter_.drain(
        source_.stop, [] {},
        [&](const Csr<CountedRule>& targets) {
          for (size_t i = 0; i < targets.size(); ++i) {
            const auto rules = targets[i];    // all of them count, also those that a table drops
            if (rules.size() == 1) continue;  // whoever has this rule knows the total
            entries.push_back(totals.add(target_symbols(source_.bitext, rules[0].place, buffer),
                                         static_cast<float>(unsmoothed.counts(rules).total)));
          }
          if (entries.size() >= kPiece) flush();
        });
    flush();
    writer.section("target_buckets", totals.begins());
  }

 private:
  const HieroSource& source_;
  SortSpace space_;
  RuleFilter filter_;
  OccurrenceCounter counter_;
  int64_t occurrences_ = 0;
};

// How gaps are reordered in the rules of the first pairs.
DistortionCounts count_gaps(const HieroSource& source, ThreadPool& pool) {
  RowExtraction rows(source.bitext, source.options, pool);
  const int64_t pairs = source.bitext.pairs(), limit = source.options.distortion_sentences;
  const int64_t first = limit == 0 ? pairs : std::min(pairs, limit);
  Progress unseen;
  for (int64_t begin = 0; begin < source.bitext.size(); begin += pairs)  // of a set of links
    rows.run(begin, begin + first, source.stop, unseen, [](std::span<const Occurrence>) {});
  return rows.distortion();
}

}  // namespace

DistortionCounts write_hiero_sections(const HieroSource& source, ThreadPool& pool,
                                      ContainerWriter& writer) {
  const int64_t pairs = source.bitext.pairs();
  const int64_t counted = source.counted_pairs == 0 ? pairs : std::min(pairs, source.counted_pairs);
  // They are spread evenly over the text.
  const auto is_counted = [&](int64_t row) {
    const int64_t pair = row % pairs;
    return pair * counted / pairs != (pair + 1) * counted / pairs;
  };
  RowExtraction rows(source.bitext, source.options, pool);
  TargetSides targets(source, pool);
  Progress unseen;
  rows.run(
      0, source.bitext.size(), source.stop, unseen,
      [&](std::span<const Occurrence> found) { targets.add(found); }, is_counted);
  targets.write(writer);
  writer.section("counted_pairs", std::span(&counted, 1));
  return counted == pairs ? rows.distortion() : count_gaps(source, pool);
}

}  // namespace demotic::rules
