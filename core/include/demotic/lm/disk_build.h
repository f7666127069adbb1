// Writes the query model of n-grams that are not in memory; the file is the same, byte by byte, as
// that of LanguageModel::build and save. N-grams are identified by their position in the list of
// their order, which is sorted by words. For each order, from the lowest:
//
//   1  sorted by position, n-grams meet the states of their suffixes
//   2  n-grams of the next order, sorted by the suffixes of their contexts and by their words, meet
//      their own suffixes, which are in the same order
//   3  sorted by home bucket, n-grams are placed and written from the first bucket to the last
//   4  sorted by position, they are states and contexts of the next order
//
// Memory: the limit, and a few MB. Disk, with the output: about 85 bytes per n-gram of the largest
// order and 20 per n-gram of the others, less than estimation takes.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "demotic/base/progress.h"
#include "demotic/base/record_file.h"
#include "demotic/lm/disk_estimate.h"
#include "demotic/lm/language_model.h"
#include "demotic/lm/ngram_sweep.h"

namespace demotic::lm {

// Every context and every suffix of an n-gram must be one of the order below.
class DiskBuilder final : public NgramOutput {
 public:
  // The arguments must outlive the object.
  DiskBuilder(const Vocabulary& vocabulary, const std::string& path, bool quantized,
              const DiskOptions& disk, const StopFlag& stop, Progress& progress)
      : vocabulary_(vocabulary),
        path_(path),
        quantized_(quantized),
        disk_(disk),
        stop_(stop),
        progress_(progress) {}

  // Throws ModelError if an order has too many n-grams.
  void begin(const std::vector<uint64_t>& counts) override;
  void section(int order) override;
  void ngram(std::span<const uint32_t> words, float prob, float backoff) override;
  // Builds the model and writes it.
  void finish() override;
  int steps(int order) const noexcept override { return order; }

 private:
  struct Listed {
    uint32_t context, word;  // `context`: its position in the order below; 0 for unigrams
    float prob, backoff;
    uint64_t key() const noexcept { return uint64_t{context} << 32 | word; }
  };
  // In files by position:
  struct Suffix {
    uint32_t position;  // in the order below
    uint32_t state;     // after the n-gram without its first word
  };
  struct Node {
    uint32_t number;  // the n-gram's slot
    uint32_t state;   // after the n-gram
  };
  // By suffix.
  struct Link {
    uint32_t suffix, position;
  };

  NgramLayout layout(size_t n) const noexcept;
  uint32_t context_of(std::span<const uint32_t> words);
  void find_suffixes(size_t n);
  void link_suffixes(size_t n);
  template <typename Visit>
  void visit_ngrams(size_t n, const NgramTable& table, Visit&& visit);
  void write_unigrams();
  void place(size_t n);
  bool place(size_t n, const NgramHash& hash);
  Codebook codebook(size_t n);
  void fill_bins(size_t n, float Listed::* value, std::span<float> means);
  void write();

  template <typename T>
  void renew(std::optional<RecordFile<T>>& file) const {
    file.emplace(disk_.folder);
  }

  const Vocabulary& vocabulary_;
  const std::string& path_;
  const bool quantized_;
  const DiskOptions& disk_;
  const StopFlag& stop_;
  Progress& progress_;
  size_t order_ = 0;
  uint32_t number_bits_ = 0;
  std::vector<uint64_t> counts_;
  std::vector<NgramHash> hashes_;
  std::vector<Codebook> codebooks_;
  std::vector<RecordFile<NgramBucket>> buckets_;          // by order
  std::vector<std::optional<RecordFile<Listed>>> lists_;  // by order, from 1
  // The last context: its words, the positions of its beginnings, and their number.
  std::array<uint32_t, kMaxLmOrder> words_{}, path_to_{};
  size_t known_ = 0;
  std::optional<RecordFile<Suffix>> suffixes_;  // of the current order
  std::optional<RecordFile<Link>> links_;       // of the current order, then of the next one
  std::optional<RecordFile<Node>> nodes_;       // of the order below, then of the current one
};

}  // namespace demotic::lm
