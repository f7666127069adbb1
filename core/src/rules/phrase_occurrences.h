// Occurrences of phrase pairs with their orientations and keys: of a whole sentence pair, or of one
// source phrase of it. Not thread-safe; use one instance per thread.
#pragma once

#include <utility>
#include <vector>

#include "demotic/rules/block_corners.h"
#include "demotic/rules/extract_rules.h"
#include "demotic/rules/phrase_extract.h"
#include "span_hashes.h"

namespace demotic::rules {

inline Occurrence phrase_occurrence(int32_t sentence, const PhraseSpan& phrase) {
  Occurrence o{};
  o.sentence = sentence;
  o.source_begin = static_cast<uint16_t>(phrase.source_begin);
  o.target_begin = static_cast<uint16_t>(phrase.target_begin);
  o.source_size = static_cast<uint8_t>(phrase.source_size());
  o.target_size = static_cast<uint8_t>(phrase.target_size());
  o.count = 1;
  return o;
}

class PhraseOccurrences {
 public:
  explicit PhraseOccurrences(const ExtractOptions& options)
      : phrases_(options.max_phrase, options.max_phrase, options.tight),
        hierarchical_(options.reordering != ReorderingModel::kNone &&
                      options.orientation == OrientationModel::kHierarchical),
        source_hashes_(options.max_phrase),
        target_hashes_(options.max_phrase) {}

  // Appends those of a row of the bitext.
  void extract(const PackedBitext& bitext, int32_t row, std::vector<Occurrence>& out) {
    const PackedPair pair = bitext[row];
    source_hashes_.assign(pair.source);
    target_hashes_.assign(pair.target);
    const auto found = phrases_.extract(pair);
    if (hierarchical_) corners_.read(phrases_.source_reach(), phrases_.target_reach());
    for (const PhraseSpan& phrase : found) {
      const uint64_t key = rule_key(source_hashes_(phrase.source_begin, phrase.source_size()),
                                    target_hashes_(phrase.target_begin, phrase.target_size()));
      out.push_back(oriented(row, phrase, key));
    }
  }

  // Appends those with one source phrase.
  void extract(const PackedBitext& bitext, int32_t row, int32_t source_begin, int32_t source_end,
               std::vector<Occurrence>& out) {
    const PackedPair pair = bitext[row];
    phrases_.read(pair);
    const auto found = phrases_.with_source(source_begin, source_end);
    if (hierarchical_ && !found.empty())
      corners_.read(phrases_.source_reach(), phrases_.target_reach());
    for (const PhraseSpan& phrase : found) {
      Occurrence& o = out.emplace_back(oriented(row, phrase, 0));
      o.key = rule_key(bitext, o);
    }
  }

 private:
  Occurrence oriented(int32_t row, const PhraseSpan& phrase, uint64_t key) {
    Occurrence o = phrase_occurrence(row, phrase);
    o.key = key;
    const auto [previous, next] = hierarchical_
                                      ? std::pair(corners_.previous(phrase), corners_.next(phrase))
                                      : std::pair(phrases_.previous(phrase), phrases_.next(phrase));
    o.orientations = static_cast<uint8_t>(static_cast<int>(previous) | static_cast<int>(next) << 2);
    return o;
  }

  PhraseExtractor phrases_;
  bool hierarchical_;
  BlockCorners corners_;
  SpanHashes source_hashes_, target_hashes_;
};

}  // namespace demotic::rules
