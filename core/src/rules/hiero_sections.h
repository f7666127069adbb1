// The sections of an indexed bitext that only Hiero has (bitext_index.h): the counts of target
// sides. All rules without gaps are extracted once, and those with gaps from some of the pairs:
// a sentence pair has some fifty times as many.
#pragma once

#include <string>

#include "demotic/base/container.h"
#include "demotic/base/thread_pool.h"
#include "demotic/rules/extract_rules.h"

namespace demotic::rules {

struct HieroSource {
  const PackedBitext& bitext;
  const ExtractOptions& options;
  int64_t counted_pairs;    // in which target sides with gaps are counted; 0 for all
  const std::string& path;  // scratch files are in its folder
  const StopFlag& stop;
};

// Returns how gaps are reordered. Throws ModelError, IoError, Interrupted.
DistortionCounts write_hiero_sections(const HieroSource& source, ThreadPool& pool,
                                      ContainerWriter& writer);

}  // namespace demotic::rules
