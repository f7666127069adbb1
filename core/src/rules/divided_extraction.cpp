#include "demotic/rules/divided_extraction.h"

#include <algorithm>
#include <optional>
#include <stdexcept>

#include "demotic/base/mapped_file.h"
#include "part_bytes.h"
#include "row_extraction.h"
#include "rule_table_builder.h"

namespace demotic::rules {
namespace {

static_assert(std::is_trivially_copyable_v<CountedRule>);

constexpr size_t kSample = 8;  // occurrences per part of a shard whose source sides are returned

size_t part_of(const Occurrence& occurrence, size_t parts) noexcept {
  return static_cast<size_t>(uint64_t{target_key(occurrence.key)} * parts >> 32);
}

// Counted rules with the counts of their target sides. `target` is the place among the target sides
// of the part.
struct RuleSegment {
  std::vector<CountedRule> rules;
  std::vector<float> totals;
  std::vector<SideCounts> sides;  // if probabilities are smoothed

  std::string to_bytes() const {
    std::string bytes;
    append_array(bytes, std::span(rules));
    append_array(bytes, std::span(totals));
    append_array(bytes, std::span(sides));
    return bytes;
  }
  static RuleSegment read(PartReader& in, const char* expected) {
    RuleSegment segment{in.array<CountedRule>(), in.array<float>(), in.array<SideCounts>()};
    const bool smoothed = !segment.sides.empty();
    if (segment.rules.size() != segment.totals.size() ||
        (smoothed && segment.rules.size() != segment.sides.size()))
      refuse_part(expected);
    return segment;
  }
  SideCounts side(size_t i) const noexcept {
    SideCounts side = sides.empty() ? SideCounts{} : sides[i];
    side.total = totals[i];
    return side;
  }
};

}  // namespace

struct ExtractionWorker::Tools {
  AlignedBitext bitext;
  ExtractOptions options;
  PackedBitext packed;
  SourceOrder order;
  ThreadPool pool{1};

  Tools(const AlignedBitext& aligned, const ExtractOptions& given, const StopFlag& stop)
      : bitext(aligned), options(given), packed(aligned, stop), order(aligned.source) {}

  // Made on first use, since they read the text.
  RuleFilter& filter(const StopFlag& stop) {
    if (!filter_) filter_.emplace(bitext, options, pool.threads(), stop);
    return *filter_;
  }
  const LexicalTable& lexicon(const StopFlag& stop) {
    if (!lexicon_) lexicon_.emplace(LexicalTable::count(bitext, stop));
    return *lexicon_;
  }
  const TargetEncoder& encoder() {
    if (!encoder_) encoder_.emplace(frequent_first(bitext.target.words()));
    return *encoder_;
  }
  void add_sample(std::span<const Occurrence> found, std::vector<uint64_t>& sample) {
    std::vector<Symbol> buffer;
    const size_t step = found.size() / kSample + 1;
    for (size_t i = 0; i < found.size(); i += step)
      sample.push_back(order(source_symbols(packed, found[i], buffer))[0]);
  }

 private:
  std::optional<RuleFilter> filter_;
  std::optional<LexicalTable> lexicon_;
  std::optional<TargetEncoder> encoder_;
};

ExtractionWorker::ExtractionWorker(const AlignedBitext& bitext, const ExtractOptions& options,
                                   const StopFlag& stop)
    : tools_(std::make_unique<Tools>(bitext, options, stop)) {}

ExtractionWorker::~ExtractionWorker() = default;

ExtractedShard ExtractionWorker::extract(int64_t begin, int64_t end, int32_t parts,
                                         const StopFlag& stop) {
  if (begin < 0 || begin > end || end > tools_->packed.size() || parts < 1)
    throw std::out_of_range("no such rows of the bitext");
  RowExtraction rows(tools_->packed, tools_->options, tools_->pool);
  ExtractedShard shard;
  shard.parts.resize(parts);
  Progress ignored;
  rows.run(begin, end, stop, ignored, [&](std::span<const Occurrence> found) {
    for (const Occurrence& one : found) shard.parts[part_of(one, parts)].push_back(one);
  });
  shard.distortion = rows.distortion();
  for (const auto& part : shard.parts) tools_->add_sample(part, shard.sample);
  return shard;
}

CountedPart ExtractionWorker::count(const std::string& path, const std::string& folder,
                                    std::span<const uint64_t> bounds, const StopFlag& stop) {
  const MappedFile file(path);
  const auto bytes = file.bytes();
  if (bytes.size() % sizeof(Occurrence) != 0) refuse_part("whole occurrences of rules", path);
  const std::span occurrences(reinterpret_cast<const Occurrence*>(bytes.data()),
                              bytes.size() / sizeof(Occurrence));
  const SortSpace space(tools_->options, tools_->packed, folder);
  OccurrenceCounter counter(tools_->bitext, tools_->packed, tools_->filter(stop), space,
                            tools_->pool);
  for (const Occurrence& occurrence : occurrences) counter.add(occurrence);

  CountedPart part;
  RuleSmoothing smoothing(tools_->options.smoothing);
  TargetCounter targets(tools_->packed, smoothing);
  std::vector<RuleSegment> segments(bounds.size() + 1);
  const auto write = [&](std::span<const Symbol> symbols, float total) {
    const uint32_t place = target_place(part.targets.size());
    tools_->encoder().append(symbols, total, part.targets);
    return place;
  };
  const auto emit = [&](std::span<const CountedRule> group, std::optional<uint32_t> place,
                        const SideCounts& counts) {
    for (CountedRule rule : group) {
      if (!rule.removed()) rule.target = *place;
      const auto bound = std::ranges::upper_bound(bounds, rule.source_order[0]);
      RuleSegment& segment = segments[bound - bounds.begin()];
      segment.rules.push_back(rule);
      segment.totals.push_back(static_cast<float>(counts.total));
      if (smoothing.used()) segment.sides.push_back(counts);
    }
  };
  counter.drain(
      stop, [] {}, [&](const Csr<CountedRule>& rows) { targets.add(rows.view(), write, emit); });
  for (const RuleSegment& segment : segments) part.sources.push_back(segment.to_bytes());
  part.tallies = smoothing.tallies();
  return part;
}

std::string ExtractionWorker::score(const ScoringTask& task, const StopFlag& stop) {
  constexpr const char* kExpected = "counted rules of every part";
  const MappedFile file(task.path);
  const auto bytes = file.bytes();
  PartReader in({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, kExpected);
  RuleSmoothing smoothing(tools_->options.smoothing);
  smoothing.add(task.tallies);
  smoothing.finish();
  SortedRules rules(score_names(tools_->options).size());
  const SortSpace space(tools_->options, tools_->packed, task.folder);
  SourceScorer scorer(tools_->bitext, tools_->packed,
                      RuleScorer(tools_->lexicon(stop), tools_->options, smoothing), smoothing,
                      space, tools_->pool, rules);
  for (const uint64_t before : task.place) {
    const RuleSegment segment = RuleSegment::read(in, kExpected);
    if (smoothing.used() && segment.sides.size() != segment.rules.size()) refuse_part(kExpected);
    for (size_t i = 0; i < segment.rules.size(); ++i) {
      const CountedRule& rule = segment.rules[i];
      std::optional<uint32_t> place;
      if (!rule.removed()) place = target_place(before + rule.target);
      scorer.add({&rule, 1}, place, segment.side(i));
    }
  }
  if (!in.done()) refuse_part(kExpected, task.path);
  ExtractReport report;
  Progress ignored;
  scorer.finish(stop, ignored, report);
  rules.finish();
  std::string scored;
  const std::array<int64_t, 2> numbers{report.rules, report.removed};
  append_array(scored, std::span<const int64_t>(numbers));
  return scored += rules.to_bytes();
}

std::vector<uint64_t> source_bounds(std::vector<uint64_t> sample, int32_t parts) {
  std::ranges::sort(sample);
  std::vector<uint64_t> bounds(parts - 1, 0);
  for (int32_t part = 1; part < parts && !sample.empty(); ++part)
    bounds[part - 1] = sample[sample.size() * part / parts];
  return bounds;
}

struct ExtractionDriver::Tools {
  AlignedBitext text;  // without links
  size_t scores;
  RuleStoreWriter store;
  ExtractReport report;

  Tools(const Corpus& source, const Corpus& target, const std::string& path,
        const ExtractOptions& options)
      : text(source, target, std::vector<const Alignments*>{}),
        scores(score_names(options).size()),
        store(open_store(path, target, options)) {}
};

ExtractionDriver::ExtractionDriver(const Corpus& source, const Corpus& target,
                                   const std::string& path, const ExtractOptions& options)
    : tools_(std::make_unique<Tools>(source, target, path, options)) {}

ExtractionDriver::~ExtractionDriver() = default;

void ExtractionDriver::add_targets(std::span<const uint8_t> targets) {
  tools_->store.add_targets(targets);
}

void ExtractionDriver::add(std::span<const char> scored) {
  constexpr const char* kExpected = "the number of rules before them";
  PartReader in(scored, kExpected);
  const auto numbers = in.array<int64_t>();
  if (numbers.size() != 2) refuse_part(kExpected);
  tools_->report.rules += numbers[0];
  tools_->report.removed += numbers[1];
  tools_->store.rules().append(SortedRules::from_bytes(in.rest(), tools_->scores));
}

ExtractReport ExtractionDriver::finish(int64_t occurrences, const DistortionCounts& distortion) {
  ExtractReport& report = tools_->report;
  report.sentences = tools_->text.size();
  report.too_long = count_too_long(tools_->text);
  report.occurrences = occurrences;
  report.distortion = distortion;
  tools_->store.commit();
  return report;
}

}  // namespace demotic::rules
