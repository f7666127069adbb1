// An aligned bitext in a file that is mapped, with all that rules are extracted and scored from at
// decoding time (Callison-Burch et al. 2005; Lopez 2007, 2008; Germann 2015):
//
//   * the packed bitext: words and links of every pair;
//   * the suffix array of the source side, which finds every occurrence of a phrase;
//   * the counts of target sides, so that the denominator of p(source | target) is exact whatever
//     is sampled. For phrases: how many pairs were extracted with each target phrase, one byte per
//     position and length in the order of the suffix array of the target side, and their sums. For
//     Hiero: the count of every target side with several rules, by its hash (target_totals.h);
//     those of target sides with gaps may be counted in some of the pairs only;
//   * the counts of linked words, for lexical weights.
//
// A new file can be added to others: all counts are sums over the files.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "demotic/base/container.h"
#include "demotic/base/progress.h"
#include "demotic/rules/extract_rules.h"
#include "demotic/rules/packed_bitext.h"
#include "demotic/rules/target_totals.h"

namespace demotic::rules {

struct SampleOptions {
  int32_t sample = 1000;  // occurrences of a source side that are looked at; 0 for all
  int64_t seed = 1;       // of the choice among more occurrences
  // Pairs in which target sides with gaps are counted (Hiero); 0 for all.
  int64_t counted_pairs = 100000;
};

// A range of a suffix array.
struct SuffixRange {
  uint32_t begin = 0, end = 0;
  uint32_t size() const noexcept { return end - begin; }
};

// The suffixes of one side of a bitext: positions of words in the numbers of its packed part.
class SuffixIndex {
 public:
  SuffixIndex() = default;
  // `begins[i]` is where the suffixes begin that begin with `types[i]`; there is one more.
  SuffixIndex(std::span<const WordId> types, std::span<const uint32_t> begins,
              std::span<const uint32_t> suffixes, std::span<const WordId> numbers)
      : types_(types), begins_(begins), suffixes_(suffixes), numbers_(numbers) {}

  // The distinct words of the side, ascending; the first one is kNull.
  std::span<const WordId> types() const noexcept { return types_; }
  // The index of a word among them, or their number.
  size_t rank(WordId word) const noexcept;
  std::span<const uint32_t> suffixes() const noexcept { return suffixes_; }
  // All occurrences of at least one word, by binary search.
  SuffixRange find(std::span<const WordId> words) const noexcept;

  bool sound() const noexcept;

 private:
  std::span<const WordId> types_;
  std::span<const uint32_t> begins_, suffixes_;
  std::span<const WordId> numbers_;
};

class BitextIndex {
 public:
  // How rules are extracted and scored; part of the file.
  struct Settings {
    int32_t max_phrase, min_count, sample, sets;
    int32_t tight, keep_word_pairs, reordering, orientation;
    int32_t kind, max_initial, max_source_symbols, max_gaps;
    int32_t min_gap, adjacent_gaps, require_link, share_count;
    double reordering_smoothing, min_gapped_count;
    int64_t seed;
    friend bool operator==(const Settings&, const Settings&) = default;
  };
  static_assert(sizeof(Settings) == 88);

  // Throws as Container does, and FormatError if its arrays are inconsistent, which is checked with
  // `verify`.
  static BitextIndex open(const std::string& path, bool verify, const StopFlag& stop);
  // Whether the file is a container of this kind. Throws IoError.
  static bool is_index(const std::string& path);

  const Settings& settings() const noexcept { return settings_; }
  ExtractOptions options() const;
  size_t size_bytes() const noexcept { return container_->size_bytes(); }

  const PackedPart& part() const noexcept { return part_; }
  const SuffixIndex& source() const noexcept { return source_; }
  const SuffixIndex& target() const noexcept { return target_; }
  // The pair with a position of the packed numbers.
  uint32_t pair_at(uint32_t position) const noexcept;

  // The count of a target side over all its rules; of Hiero 0 if there is only one, and an estimate
  // if it has gaps and not all pairs are counted. Phrases have no more words than the maximum.
  double target_count(std::span<const Symbol> target) const noexcept;
  const TargetTotals& target_totals() const noexcept { return target_totals_; }  // Hiero

  // Links between two words, and all links of a word on either side; kNull for unaligned words.
  uint32_t linked(WordId source, WordId target) const noexcept;
  uint64_t source_links(WordId word) const noexcept { return at(source_links_, source_, word); }
  uint64_t target_links(WordId word) const noexcept { return at(target_links_, target_, word); }

  // The words of the target side, frequent ones first.
  std::span<const WordId> target_words() const noexcept { return target_words_; }

  static constexpr size_t kBlock = 64;  // positions per entry of the sums below

 private:
  static bool sound_settings(const Settings& settings) noexcept;
  bool sound() const noexcept;
  bool sound_bitext() const noexcept;
  bool sound_phrases() const noexcept;
  bool hiero() const noexcept { return settings_.kind == static_cast<int32_t>(RuleKind::kHiero); }
  uint64_t extractions_below(uint32_t rank, size_t words) const noexcept;
  static uint64_t at(std::span<const uint64_t> links, const SuffixIndex& side,
                     WordId word) noexcept {
    const size_t rank = side.rank(word);
    return rank < links.size() ? links[rank] : 0;
  }

  std::shared_ptr<const Container> container_;
  Settings settings_{};
  std::vector<std::string> extra_scores_;
  PackedPart part_;
  SuffixIndex source_, target_;
  std::span<const uint32_t> pairs_at_;         // by block of numbers: the pair of its first one
  std::span<const uint8_t> extractions_;       // by number of words, then by suffix
  std::span<const uint64_t> extraction_sums_;  // by number of words, then by block of suffixes
  TargetTotals target_totals_;
  int64_t counted_pairs_ = 0;                              // in which those with gaps are counted
  std::span<const uint64_t> lexicon_begins_;               // by source type
  std::span<const WordId> lexicon_words_;                  // target words linked to it, ascending
  std::span<const uint32_t> lexicon_counts_;               // how often
  std::span<const uint64_t> source_links_, target_links_;  // by type
  std::span<const WordId> target_words_;
};

// Writes the index of a bitext, without smoothing, significance and adjacent gaps. The bytes do not
// depend on the number of threads. The report has no numbers of rules. Throws ModelError, IoError,
// Interrupted, std::invalid_argument.
ExtractReport write_bitext_index(const AlignedBitext& bitext, const std::string& path,
                                 const ExtractOptions& options, const SampleOptions& sampling,
                                 const StopFlag& stop, Progress& progress);

}  // namespace demotic::rules
