// Extraction, counting and scoring of rules divided among several processes, with the same result
// as `extract_rules`.
//
// A shard is a range of rows of the bitext. Its occurrences are divided into parts by the key of
// their target side: part p of P has the keys from p / P to (p + 1) / P of all. A part of all
// shards, in the order of the shards, holds all occurrences of its rules in the order of the
// bitext, so another process counts its rules as one process alone would. Parts in order have the
// target sides in the order in which they are written.
//
// Counting gives the encoded target sides of a part, whose places in the store are known as soon as
// all parts before it are counted, and rules with the totals of their target sides. These are
// divided again, into parts of consecutive source sides. A part of all that was counted, in order,
// holds all rules of its source sides in the order of target sides, so another process scores them
// as one process alone would; their order is that of the store.
#pragma once

#include <array>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "demotic/rules/extract_rules.h"

namespace demotic::rules {

// The number of counted rules, and of those that occur once, twice, ...; adds up over parts.
using RuleTallies = std::array<int64_t, 6>;

struct ExtractedShard {
  std::vector<std::vector<Occurrence>> parts;
  DistortionCounts distortion;
  std::vector<uint64_t> sample;  // source sides of some of the occurrences, as numbers
};

struct CountedPart {
  std::vector<uint8_t> targets;      // as the store has them
  std::vector<std::string> sources;  // bytes for `score`, by part of the source sides
  RuleTallies tallies{};
};

// Rules of consecutive source sides, counted elsewhere.
struct ScoringTask {
  std::string path;                 // the bytes of all counted parts, in order
  std::string folder;               // for scratch files
  std::span<const uint64_t> place;  // by counted part: bytes of target sides before its own
  RuleTallies tallies;              // of all parts
};

// What extracts, counts and scores: one instance per process, with one thread. `bitext` must
// outlive it.
class ExtractionWorker {
 public:
  ExtractionWorker(const AlignedBitext& bitext, const ExtractOptions& options,
                   const StopFlag& stop);
  ~ExtractionWorker();

  // The rows from `begin` to `end`. Throws std::out_of_range.
  ExtractedShard extract(int64_t begin, int64_t end, int32_t parts, const StopFlag& stop);
  // Counts the rules of a part: a file of the occurrences of all shards, in order. They are divided
  // into one more part than `bounds`, which ascend. Scratch files are in `folder`. Throws
  // FormatError.
  CountedPart count(const std::string& path, const std::string& folder,
                    std::span<const uint64_t> bounds, const StopFlag& stop);
  // Returns bytes for ExtractionDriver. Throws FormatError; ModelError past 4 GB of target sides.
  std::string score(const ScoringTask& task, const StopFlag& stop);

 private:
  struct Tools;
  std::unique_ptr<Tools> tools_;
};

// Bounds of `parts` parts of source sides with about as many occurrences each, from the samples of
// all shards. They do not affect the result.
std::vector<uint64_t> source_bounds(std::vector<uint64_t> sample, int32_t parts);

// What writes all rules. The corpora must outlive it.
class ExtractionDriver {
 public:
  ExtractionDriver(const Corpus& source, const Corpus& target, const std::string& path,
                   const ExtractOptions& options);
  ~ExtractionDriver();

  // The target sides of the next counted part; all come before the first scored part.
  void add_targets(std::span<const uint8_t> targets);
  // The next scored part. Throws FormatError.
  void add(std::span<const char> scored);
  // Writes the store. `occurrences` and `distortion` are sums over the shards.
  ExtractReport finish(int64_t occurrences, const DistortionCounts& distortion);

 private:
  struct Tools;
  std::unique_ptr<Tools> tools_;
};

}  // namespace demotic::rules
