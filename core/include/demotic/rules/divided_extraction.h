// Extraction and counting of rules divided among several processes, with the same result as
// `extract_rules`.
//
// A shard is a range of rows of the bitext. Its occurrences are divided into parts by the key of
// their target side: part p of P has the keys from p / P to (p + 1) / P of all. A part of all
// shards, in the order of the shards, holds all occurrences of its rules in the order of the
// bitext, so another process counts its rules as one process alone would. Parts in order have the
// target sides in the order in which they are written.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "demotic/rules/extract_rules.h"

namespace demotic::rules {

struct ExtractedShard {
  std::vector<std::vector<Occurrence>> parts;
  DistortionCounts distortion;
};

// What extracts and counts: one instance per process, with one thread. `bitext` must outlive it.
class ExtractionWorker {
 public:
  ExtractionWorker(const AlignedBitext& bitext, const ExtractOptions& options,
                   const StopFlag& stop);
  ~ExtractionWorker();

  // The rows from `begin` to `end`. Throws std::out_of_range.
  ExtractedShard extract(int64_t begin, int64_t end, int32_t parts, const StopFlag& stop);
  // Counts the rules of a part: a file of the occurrences of all shards, in order. Returns bytes
  // for ExtractionDriver; scratch files are in `folder`. Throws FormatError.
  std::string count(const std::string& path, const std::string& folder, const StopFlag& stop);

 private:
  struct Tools;
  std::unique_ptr<Tools> tools_;
};

// What scores and writes all rules. The references must outlive it.
class ExtractionDriver {
 public:
  ExtractionDriver(const AlignedBitext& bitext, const LexicalTable& lexicon,
                   const std::string& path, const ExtractOptions& options, const StopFlag& stop);
  ~ExtractionDriver();

  // The next part as counted by a worker. Throws FormatError.
  void add(std::span<const char> counted);
  // Writes the store. `occurrences` and `distortion` are sums over the shards.
  ExtractReport finish(int64_t occurrences, const DistortionCounts& distortion,
                       const StopFlag& stop, Progress& progress);

 private:
  struct Tools;
  std::unique_ptr<Tools> tools_;
};

}  // namespace demotic::rules
