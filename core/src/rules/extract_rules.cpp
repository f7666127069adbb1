#include "demotic/rules/extract_rules.h"

#include "occurrence_counter.h"
#include "phrase_occurrences.h"
#include "rule_filter.h"
#include "scored_writer.h"

namespace demotic::rules {
namespace {

constexpr int64_t kBatch = 64;  // sentences per task of a thread

// Extracts the rules of one sentence at a time; one instance per thread.
class SentenceExtractor {
 public:
  explicit SentenceExtractor(const ExtractOptions& options)
      : kind_(options.kind), phrases_(options), hiero_(options.hiero) {}

  void extract(const PackedBitext& bitext, int32_t sentence, std::vector<Occurrence>& out) {
    if (kind_ == RuleKind::kHiero) return hiero_.extract(bitext, sentence, out);
    phrases_.extract(bitext, sentence, out);
  }

 private:
  RuleKind kind_;
  PhraseOccurrences phrases_;
  HieroExtractor hiero_;
};

// A phase of `steps` steps that accounts for `share` of the total progress.
class Phase {
 public:
  Phase(Progress& progress, int64_t steps, int64_t share) noexcept
      : progress_(&progress), steps_(std::max<int64_t>(steps, 1)), share_(share) {}

  void step() noexcept {
    if (++done_ % kEvery == 0) report_done(std::min(done_, steps_));
  }
  void finish() noexcept { report_done(steps_); }

 private:
  static constexpr int64_t kEvery = 4096;  // steps between updates, so that they cost nothing

  void report_done(int64_t done) noexcept {
    const auto now = static_cast<int64_t>(static_cast<double>(share_) * static_cast<double>(done) /
                                          static_cast<double>(steps_));
    progress_->advance(now - reported_);
    reported_ = now;
  }

  Progress* progress_;
  int64_t steps_, share_;
  int64_t done_ = 0, reported_ = 0;
};

// Counts, scores and writes the extracted rules.
class Builder {
 public:
  Builder(const AlignedBitext& bitext, const LexicalTable& lexicon, const std::string& path,
          const ExtractOptions& options, ThreadPool& pool, const StopFlag& stop)
      : bitext_(bitext, stop),
        options_(options),
        pool_(pool),
        stop_(stop),
        by_source_order_{&bitext_, SourceOrder(bitext.source)},
        occurrences_(bitext_, by_source_order_.order, sort_memory(), folder_of(path), sorted_),
        by_source_(sort_memory(), folder_of(path), by_source_order_, sorted_),
        filter_(bitext, options, pool.threads(), stop),
        smoothing_(options.smoothing),
        targets_(smoothing_.used()),
        writer_(path, score_names(options), {"X", "S"}, frequent_first(bitext.target.words())),
        scored_writer_(bitext_, targets_, RuleScorer(lexicon, options, smoothing_), pool, writer_) {
  }

  // The bitext that all occurrences refer to.
  const PackedBitext& bitext() const noexcept { return bitext_; }

  void add(const Occurrence& occurrence) {
    ++report.occurrences;
    occurrences_.add(occurrence);
  }
  void publish_writes() const noexcept { occurrences_.publish_writes(); }

  // Counting and scoring take about as long as extraction, so each counts the same.
  void finish(Progress& progress) {
    count(Phase(progress, report.occurrences, bitext_.size()));
    write_sources(Phase(progress, counted_, bitext_.size()));
    writer_.commit();
  }

  ExtractReport report;

 private:
  using Group = std::span<const CountedRule>;

  // Memory of each sort: the packed bitext takes up to half of the total.
  int64_t sort_memory() const {
    return std::max(options_.memory - bitext_.bytes(), options_.memory / 2) / 2;
  }

  // First sort: groups occurrences of a rule, and rules of a target side.
  void count(Phase phase) {
    occurrences_.drain(
        pool_, stop_,
        [&](CountedRule& rule, int worker) {
          // Any key, even that of a removed rule, may be a hash; it is not needed any more.
          rule.target = filter_.keeps(rule, bitext_, worker) ? 0 : CountedRule::kRemoved;
        },
        [&](const Csr<CountedRule>& targets) {
          for (size_t i = 0; i < targets.size(); ++i) add_target(targets[i]);
          by_source_.publish_writes();
        },
        [&] { phase.step(); });
    smoothing_.finish();
    phase.finish();
  }

  // Adds all rules of one target side, which is written unless all of them are removed.
  void add_target(Group group) {
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
  void write_sources(Phase phase) {
    std::vector<CountedRule> group;
    by_source_.drain(stop_, [&](const CountedRule& rule) {
      if (!group.empty() && !by_source_order_.same(group.front(), rule)) {
        write_source(group);
        group.clear();
      }
      group.push_back(rule);
      phase.step();
    });
    if (!group.empty()) write_source(group);
    scored_writer_.finish(stop_);
    phase.finish();
  }

  void write_source(std::vector<CountedRule>& group) {
    const SideCounts counts = smoothing_.counts(group);
    report.rules += static_cast<int64_t>(group.size());
    report.removed += static_cast<int64_t>(std::erase_if(group, &CountedRule::removed));
    scored_writer_.add(group, counts, stop_);
  }

  const PackedBitext bitext_;
  const ExtractOptions& options_;
  ThreadPool& pool_;
  const StopFlag& stop_;
  BySource by_source_order_;
  std::shared_ptr<BlockPool> sorted_ = std::make_shared<BlockPool>();
  OccurrenceCounter occurrences_;
  SourceSorter by_source_;
  RuleFilter filter_;
  RuleSmoothing smoothing_;
  CountedTargets targets_;
  RuleStoreWriter writer_;
  ScoredWriter scored_writer_;
  std::vector<Symbol> buffer_;
  int64_t counted_ = 0;  // rules, including those that will be removed
};

}  // namespace

ExtractReport extract_rules(const AlignedBitext& bitext, const LexicalTable& lexicon,
                            const std::string& path, const ExtractOptions& options,
                            const StopFlag& stop, Progress& progress) {
  ThreadPool pool(options.threads);
  Builder builder(bitext, lexicon, path, options, pool, stop);
  std::vector<SentenceExtractor> extractors(pool.threads(), SentenceExtractor(options));
  const int64_t sampled = options.kind == RuleKind::kPhrase   ? 0
                          : options.distortion_sentences == 0 ? bitext.size()
                                                              : options.distortion_sentences;
  const int64_t rows = builder.bitext().size();
  progress.expect(3 * rows);
  const auto extract_batch = [&](int64_t batch, int worker) {
    std::vector<Occurrence> found;
    const int64_t end = std::min(rows, (batch + 1) * kBatch);
    for (int64_t i = batch * kBatch; i < end; ++i) {
      stop.check();
      extractors[worker].extract(builder.bitext(), static_cast<int32_t>(i), found);
    }
    progress.advance(end - batch * kBatch);
    return found;
  };
  pool.map_reduce((rows + kBatch - 1) / kBatch, stop, extract_batch,
                  [&](int64_t batch, const std::vector<Occurrence>& found) {
                    for (const Occurrence& occurrence : found) builder.add(occurrence);
                    builder.publish_writes();
                    if (batch * kBatch < sampled || (sampled > 0 && rows > bitext.size()))
                      HieroExtractor::count_distortion(builder.bitext(), found, sampled,
                                                       builder.report.distortion);
                  });
  for (int64_t i = 0; i < bitext.size(); ++i)
    builder.report.too_long +=
        std::max(bitext.source[i].size(), bitext.target[i].size()) > kMaxExtractLength;
  builder.report.sentences = bitext.size();
  builder.finish(progress);
  return builder.report;
}

ExtractReport score_pairs(const AlignedBitext& pairs, const LexicalTable& lexicon,
                          const std::string& path, const ExtractOptions& options,
                          const StopFlag& stop, Progress& progress) {
  ThreadPool pool(options.threads);
  Builder builder(pairs, lexicon, path, options, pool, stop);
  progress.expect(3 * pairs.size());
  for (int64_t i = 0; i < pairs.size(); ++i) {
    if (i % 1024 == 0) stop.check();
    const auto source = static_cast<int32_t>(pairs.source[i].size());
    const auto target = static_cast<int32_t>(pairs.target[i].size());
    builder.report.too_long += std::max(source, target) > kMaxPhraseSize;
    if (std::max(source, target) <= kMaxPhraseSize && source > 0) {
      Occurrence whole = phrase_occurrence(static_cast<int32_t>(i), {0, source, 0, target});
      whole.key = rule_key(builder.bitext(), whole);
      builder.add(whole);
    }
    progress.advance();
  }
  builder.report.sentences = pairs.size();
  builder.finish(progress);
  return builder.report;
}

}  // namespace demotic::rules
