#include "hiero_sections.h"

#include "demotic/base/errors.h"
#include "demotic/rules/target_totals.h"
#include "occurrence_counter.h"
#include "rule_smoothing.h"
#include "rule_table_builder.h"

namespace demotic::rules {
namespace {

constexpr int64_t kRowsPerTask = 64;        // rows per task of a thread
constexpr size_t kPiece = size_t{1} << 16;  // entries written at once

struct Extracted {
  std::vector<Occurrence> rules;
  std::vector<uint32_t> rules_of_phrases;  // of all rows
  std::vector<uint32_t> phrases;           // by row
};

uint16_t checked(uint32_t rules) {
  if (rules > UINT16_MAX)
    throw ModelError({.found = "an initial phrase with more than 65535 rules",
                      .expected = "shorter initial phrases or fewer symbols",
                      .advice = "lower --max-initial or --max-source-symbols"});
  return static_cast<uint16_t>(rules);
}

class Sections {
 public:
  Sections(const HieroSource& source, ThreadPool& pool)
      : source_(source),
        pool_(pool),
        extractors_(pool.threads(), HieroExtractor(source.options.hiero)),
        space_(source.options, source.bitext, folder_of(source.path)),
        filter_(source.aligned, source.options, pool.threads(), source.stop),
        counter_(source.aligned, source.bitext, filter_, space_, pool) {}

  void extract(ContainerWriter& writer) {
    const int64_t rows = source_.bitext.size(), pairs = source_.bitext.pairs();
    const int64_t sampled =
        source_.options.distortion_sentences == 0 ? pairs : source_.options.distortion_sentences;
    std::vector<uint64_t> begins{0};
    writer.begin_section("phrase_rules", sizeof(uint16_t));
    pool_.map_reduce((rows + kRowsPerTask - 1) / kRowsPerTask, source_.stop,
                     [&](int64_t batch, int worker) {
                       return extracted(batch * kRowsPerTask,
                                        std::min(rows, (batch + 1) * kRowsPerTask), worker);
                     },
                     [&](int64_t batch, const Extracted& found) {
                       for (const Occurrence& occurrence : found.rules) counter_.add(occurrence);
                       occurrences_ += static_cast<int64_t>(found.rules.size());
                       counter_.publish_writes();
                       for (const uint32_t phrases : found.phrases)
                         begins.push_back(begins.back() + phrases);
                       std::vector<uint16_t> counts(found.rules_of_phrases.size());
                       std::ranges::transform(found.rules_of_phrases, counts.begin(), checked);
                       writer.append(std::span<const uint16_t>(counts));
                       if (batch * kRowsPerTask < sampled || rows > pairs)
                         HieroExtractor::count_distortion(source_.bitext, found.rules, sampled,
                                                          distortion);
                     });
    writer.section("phrase_begins", std::span<const uint64_t>(begins));
  }

  void write_totals(ContainerWriter& writer) {
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

  DistortionCounts distortion;

 private:
  Extracted extracted(int64_t begin, int64_t end, int worker) {
    Extracted found;
    HieroExtractor& extractor = extractors_[worker];
    for (int64_t row = begin; row < end; ++row) {
      source_.stop.check();
      extractor.extract(source_.bitext, static_cast<int32_t>(row), found.rules);
      const auto rules = extractor.rules_of_phrases();
      found.rules_of_phrases.insert(found.rules_of_phrases.end(), rules.begin(), rules.end());
      found.phrases.push_back(static_cast<uint32_t>(rules.size()));
    }
    return found;
  }

  const HieroSource& source_;
  ThreadPool& pool_;
  std::vector<HieroExtractor> extractors_;
  SortSpace space_;
  RuleFilter filter_;
  OccurrenceCounter counter_;
  int64_t occurrences_ = 0;
};

}  // namespace

DistortionCounts write_hiero_sections(const HieroSource& source, ThreadPool& pool,
                                      ContainerWriter& writer) {
  Sections sections(source, pool);
  sections.extract(writer);
  sections.write_totals(writer);
  return sections.distortion;
}

}  // namespace demotic::rules
