#include "demotic/rules/divided_extraction.h"

#include <cstring>
#include <optional>
#include <stdexcept>

#include "demotic/base/errors.h"
#include "demotic/base/mapped_file.h"
#include "row_extraction.h"
#include "rule_table_builder.h"

namespace demotic::rules {
namespace {

static_assert(std::is_trivially_copyable_v<CountedRule>);

size_t part_of(const Occurrence& occurrence, size_t parts) noexcept {
  return static_cast<size_t>(uint64_t{target_key(occurrence.key)} * parts >> 32);
}

template <typename T>
void append_bytes(std::string& out, std::span<const T> values) {
  out.append(reinterpret_cast<const char*>(values.data()), values.size_bytes());
}

[[noreturn]] void refuse(const std::string& path, const char* expected) {
  throw FormatError({.path = path, .found = "a damaged part of rules", .expected = expected});
}

// Rows of counted rules: the number of offsets, the offsets, the rules.
std::string to_bytes(const Csr<CountedRule>& rules) {
  const auto offsets = static_cast<int64_t>(rules.offsets.size());
  std::string result;
  append_bytes(result, std::span(&offsets, 1));
  append_bytes(result, std::span(rules.offsets));
  append_bytes(result, std::span(rules.values));
  return result;
}

Csr<CountedRule> from_bytes(std::span<const char> bytes) {
  int64_t offsets = 0;
  const size_t begin = sizeof(offsets);
  if (bytes.size() >= begin) std::memcpy(&offsets, bytes.data(), begin);
  const size_t most = bytes.size() / sizeof(int64_t);
  if (offsets < 1 || static_cast<size_t>(offsets) >= most) refuse({}, "rows of counted rules");
  Csr<CountedRule> rules;
  rules.offsets.resize(offsets);
  const size_t rest = begin + offsets * sizeof(int64_t);
  std::memcpy(rules.offsets.data(), bytes.data() + begin, rest - begin);
  rules.values.resize((bytes.size() - rest) / sizeof(CountedRule));
  if (!rules.values.empty())
    std::memcpy(rules.values.data(), bytes.data() + rest,
                rules.values.size() * sizeof(CountedRule));
  if ((bytes.size() - rest) % sizeof(CountedRule) != 0 || !well_formed(rules.view()))
    refuse({}, "rows of counted rules");
  return rules;
}

}  // namespace

struct ExtractionWorker::Tools {
  AlignedBitext bitext;
  ExtractOptions options;
  PackedBitext packed;
  ThreadPool pool{1};

  Tools(const AlignedBitext& aligned, const ExtractOptions& given, const StopFlag& stop)
      : bitext(aligned), options(given), packed(aligned, stop) {}

  // Made on first use, since it may index the text.
  RuleFilter& filter(const StopFlag& stop) {
    if (!filter_) filter_.emplace(bitext, options, pool.threads(), stop);
    return *filter_;
  }

 private:
  std::optional<RuleFilter> filter_;
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
  return shard;
}

std::string ExtractionWorker::count(const std::string& path, const std::string& folder,
                                    const StopFlag& stop) {
  const MappedFile file(path);
  const auto bytes = file.bytes();
  if (bytes.size() % sizeof(Occurrence) != 0) refuse(path, "whole occurrences of rules");
  const std::span occurrences(reinterpret_cast<const Occurrence*>(bytes.data()),
                              bytes.size() / sizeof(Occurrence));
  const SortSpace space(tools_->options, tools_->packed, folder);
  OccurrenceCounter counter(tools_->bitext, tools_->packed, tools_->filter(stop), space,
                            tools_->pool);
  for (const Occurrence& occurrence : occurrences) counter.add(occurrence);
  Csr<CountedRule> rules;
  counter.drain(stop, [] {}, [&](const Csr<CountedRule>& targets) { append(rules, targets); });
  return to_bytes(rules);
}

struct ExtractionDriver::Tools {
  AlignedBitext bitext;
  ExtractOptions options;
  PackedBitext packed;
  ThreadPool pool;
  SortSpace space;
  RuleTableBuilder table;

  Tools(const AlignedBitext& aligned, const LexicalTable& lexicon, const std::string& path,
        const ExtractOptions& given, const StopFlag& stop)
      : bitext(aligned),
        options(given),
        packed(aligned, stop),
        pool(given.threads),
        space(options, packed, folder_of(path)),
        table(bitext, packed, lexicon, path, options, space, pool) {}
};

ExtractionDriver::ExtractionDriver(const AlignedBitext& bitext, const LexicalTable& lexicon,
                                   const std::string& path, const ExtractOptions& options,
                                   const StopFlag& stop)
    : tools_(std::make_unique<Tools>(bitext, lexicon, path, options, stop)) {}

ExtractionDriver::~ExtractionDriver() = default;

void ExtractionDriver::add(std::span<const char> counted) {
  tools_->table.add(from_bytes(counted).view());
}

ExtractReport ExtractionDriver::finish(int64_t occurrences, const DistortionCounts& distortion,
                                       const StopFlag& stop, Progress& progress) {
  ExtractReport report{.sentences = tools_->bitext.size(),
                       .too_long = count_too_long(tools_->bitext),
                       .occurrences = occurrences,
                       .distortion = distortion};
  progress.expect(tools_->packed.size());
  tools_->table.finish(stop, progress, report);
  return report;
}

}  // namespace demotic::rules
