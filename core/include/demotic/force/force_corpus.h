// Forced decoding of a corpus with several threads: forests are written to a file, statistics are
// returned. Both are the same for any number of threads.
#pragma once

#include <vector>

#include "demotic/base/progress.h"
#include "demotic/force/forced_decoder.h"

namespace demotic::force {

// One value per pair.
struct ForcedPairs {
  std::vector<uint8_t> outcome, cause;  // Outcome, Cause
  // Of the whole pair or of its first prefix; 0 if there is none.
  std::vector<int32_t> source_words, target_words;
  std::vector<double> derivations;  // rounded; infinite if too many for a double
  std::vector<int64_t> nodes, edges;
};

// `writer` may be null if only statistics are needed; it is not committed here.
template <typename Kind>
ForcedPairs force_corpus(const typename Kind::Model& model, const ForceOptions& options,
                         const SentenceRange& range, GoldForestsWriter* writer, int threads,
                         const StopFlag& stop, Progress& progress);

}  // namespace demotic::force
