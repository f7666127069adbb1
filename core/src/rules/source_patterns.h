// The source patterns of rules with gaps: words with up to two gaps between them, without gaps at
// the ends. Finds their occurrences in an indexed bitext (Lopez 2007): those of a phrase are a
// range of the suffix array; those of a pattern with gaps are found from the occurrences of the
// pattern without its last or without its first word, whichever are fewer, by looking for that word
// nearby. A pattern does not occur if either of these does not.
//
// With sampling, at most kScanned times the size of a sample are looked at; their number is then an
// estimate. Occurrences depend on nothing but the bitext and the pattern. Patterns are numbered in
// the order in which they are added; 0 is the empty one.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "demotic/base/flat_map.h"
#include "demotic/rules/bitext_index.h"

namespace demotic::rules {

using PatternId = uint32_t;

// An occurrence of a pattern.
struct PatternPlace {
  uint32_t position;  // of the first word, in the packed numbers of its part
  uint16_t part;
  std::array<uint8_t, kMaxGaps> pieces;  // distance to the words after each gap; 0 if there is none
};
static_assert(sizeof(PatternPlace) == 8);

struct Pattern {
  PatternId prefix = 0, suffix = 0;  // without the last and without the first word
  WordId first = 0, last = 0;
  int32_t words = 0, gaps = 0;
  std::array<uint8_t, kMaxGaps + 1> sizes{};  // words of each piece
  double all = 0;                             // number of occurrences, or an estimate
  bool complete = true;                       // not an estimate
  uint32_t places = 0;                        // where they are

  // Whether the last word follows a gap.
  bool gap_before_last() const noexcept { return gaps > 0 && sizes[gaps] == 1; }
  bool gap_after_first() const noexcept { return gaps > 0 && sizes[0] == 1; }
};

class SourcePatterns {
 public:
  static constexpr PatternId kAbsent = UINT32_MAX;
  static constexpr uint64_t kScanned = 64;

  // The indices must outlive it.
  SourcePatterns(const std::vector<BitextIndex>& indices, const ExtractOptions& options);

  const Pattern& operator[](PatternId id) const noexcept { return patterns_[id]; }
  PatternId size() const noexcept { return static_cast<PatternId>(patterns_.size()); }
  // The words, with gaps between the pieces.
  void spell(PatternId id, std::vector<Symbol>& symbols) const;

  // A pattern longer by one word, which may follow a gap.
  struct Extension {
    PatternId prefix;
    WordId word;
    bool gap;

    uint64_t key() const noexcept {
      return uint64_t{prefix} << 33 | uint64_t{gap} << 32 | static_cast<uint32_t>(word);
    }
  };
  // Whether rules may have it.
  bool allowed(const Extension& extension) const noexcept;
  // Null if it was not added yet; kAbsent if it does not occur.
  const PatternId* find(const Extension& extension) const noexcept {
    return known_.find(extension.key());
  }

  struct Found {
    Pattern pattern;
    std::vector<SuffixRange> ranges;  // without gaps: by part
    std::vector<PatternPlace> places;
  };
  // The steps of adding a pattern. `begin` is false if it cannot occur; its prefix must be present
  // and all patterns with as few words as the prefix that are part of it be known. `look_up` is
  // thread-safe.
  bool begin(const Extension& extension, const StopFlag& stop);
  Found look_up(const Extension& extension, const StopFlag& stop) const;
  PatternId add(const Extension& extension, Found&& found);
  void add_absent(const Extension& extension) { known_[extension.key()] = kAbsent; }

  // The number of places that are known, and one of them.
  uint64_t places(PatternId id) const noexcept;
  PatternPlace place(PatternId id, uint64_t number) const noexcept;
  // Makes sure that the places of a pattern are known.
  void recall(PatternId id, const StopFlag& stop);
  // Forgets where patterns occur if that takes too much memory; it is found again when needed.
  void limit_memory();

 private:
  static constexpr size_t kMostPlaces = size_t{1} << 23;
  static constexpr uint32_t kForgotten = UINT32_MAX;

  PatternId suffix_of(const Extension& extension) const noexcept;
  Pattern extended(const Extension& extension) const noexcept;
  void find_phrase(Found& found) const;
  void extend_right(Found& found, const StopFlag& stop) const;
  void extend_left(Found& found, const StopFlag& stop) const;
  template <typename Visit>
  void scan(PatternId id, Found& found, const StopFlag& stop, Visit&& visit) const;

  const std::vector<BitextIndex>& indices_;
  const HieroExtractOptions options_;
  const uint64_t most_scanned_;  // 0 for all
  const uint64_t seed_;
  std::vector<Pattern> patterns_;
  FlatMap<uint64_t, PatternId> known_;
  std::vector<SuffixRange> ranges_;                // of phrases
  std::vector<std::vector<PatternPlace>> places_;  // of patterns with gaps
  size_t place_count_ = 0;
};

}  // namespace demotic::rules
