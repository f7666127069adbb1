// An aligned parallel corpus for rule extraction: two corpora over one vocabulary and one or more
// sets of links between them. A view; its parts must outlive it.
//
// With several sets, rules are extracted from each, and counts are added up (Xue et al. 2006): a
// pair with a set of links is one row, and all counts are sums over rows.
#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "demotic/align/alignments.h"
#include "demotic/text/corpus.h"

namespace demotic::rules {

struct AlignedBitext {
  const Corpus& source;
  const Corpus& target;
  std::vector<const Alignments*> links;  // at least one set

  AlignedBitext(const Corpus& source_side, const Corpus& target_side, const Alignments& only)
      : AlignedBitext(source_side, target_side, {&only}) {}
  AlignedBitext(const Corpus& source_side, const Corpus& target_side,
                std::vector<const Alignments*> sets)
      : source(source_side), target(target_side), links(std::move(sets)) {}

  int64_t size() const noexcept { return source.size(); }  // pairs
  int64_t rows() const noexcept { return size() * static_cast<int64_t>(links.size()); }
  int64_t pair_of(int64_t row) const noexcept { return row % size(); }
  std::span<const Link> links_of(int64_t row) const noexcept {
    return (*links[row / size()])[pair_of(row)];
  }
};

// Throws ModelError if there are no links or not all parts have the same number of sentences,
// FormatError (with the line and `links_name`) if a link points outside its sentence.
void check_bitext(const AlignedBitext& bitext, const std::string& links_name);

}  // namespace demotic::rules
