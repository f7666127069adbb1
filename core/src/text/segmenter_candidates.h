// Which substrings of unsegmented text may become words.
#pragma once

#include <cstdint>
#include <vector>

#include "demotic/base/stop.h"
#include "demotic/text/corpus.h"
#include "demotic/text/segmenter_learning.h"
#include "unit_trie.h"

namespace demotic::text {

struct Candidates {
  UnitTrie trie;
  std::vector<int64_t> counts;  // by node: occurrences of a candidate, 0 for other substrings
};

// Nodes 1 to `units` of the trie are the single units in order of their ids.
Candidates find_candidates(const Corpus& runs, WordId units, const SegmenterOptions& options,
                           const StopFlag& stop);

}  // namespace demotic::text
