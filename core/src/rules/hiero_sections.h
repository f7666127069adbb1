// The sections of an indexed bitext that only Hiero has (bitext_index.h): all rules are extracted
// and counted once, and the counts of target sides and of initial phrases are kept.
#pragma once

#include <string>

#include "demotic/base/container.h"
#include "demotic/base/thread_pool.h"
#include "demotic/rules/extract_rules.h"

namespace demotic::rules {

struct HieroSource {
  const AlignedBitext& aligned;
  const PackedBitext& bitext;  // the same, packed
  const ExtractOptions& options;
  const std::string& path;  // scratch files are in its folder
  const StopFlag& stop;
};

// Returns how gaps are reordered. Throws ModelError, IoError, Interrupted.
DistortionCounts write_hiero_sections(const HieroSource& source, ThreadPool& pool,
                                      ContainerWriter& writer);

}  // namespace demotic::rules
