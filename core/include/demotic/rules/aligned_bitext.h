// An aligned parallel corpus for rule extraction: two corpora over one vocabulary and the links
// between them. A view; its parts must outlive it.
#pragma once

#include <span>

#include "demotic/align/alignments.h"
#include "demotic/text/corpus.h"

namespace demotic::rules {

struct AlignedBitext {
  const Corpus& source;
  const Corpus& target;
  const Alignments& links;

  int64_t size() const noexcept { return source.size(); }
};

// Throws ModelError if the three do not have the same number of sentences, FormatError (with the
// line and `links_name`) if a link points outside its sentence.
void check_bitext(const AlignedBitext& bitext, const std::string& links_name);

}  // namespace demotic::rules
