#include "demotic/rules/aligned_bitext.h"

#include "demotic/base/errors.h"

namespace demotic::rules {

void check_bitext(const AlignedBitext& bitext, const std::string& links_name) {
  const auto pairs = std::to_string(bitext.source.size());
  if (bitext.target.size() != bitext.source.size()) {
    throw ModelError({.found = pairs + " source sentences and " +
                               std::to_string(bitext.target.size()) + " target sentences",
                      .expected = "equal numbers"});
  }
  if (static_cast<int64_t>(bitext.links.size()) != bitext.source.size()) {
    throw ModelError(
        {.path = links_name,
         .found = "links of " + std::to_string(bitext.links.size()) + " sentence pairs",
         .expected = "links of " + pairs,
         .advice = "align the same text that the rules are extracted from"});
  }
  for (int64_t i = 0; i < bitext.size(); ++i) {
    const auto source = static_cast<int32_t>(bitext.source[i].size());
    const auto target = static_cast<int32_t>(bitext.target[i].size());
    for (const Link link : bitext.links[i]) {
      if (link.source < source && link.target < target) continue;
      throw FormatError(
          {.path = links_name,
           .line = i + 1,
           .found = "link " + std::to_string(link.source) + "-" + std::to_string(link.target),
           .expected = "positions inside sentences of " + std::to_string(source) + " and " +
                       std::to_string(target) + " words",
           .advice = "check that the links belong to this text, source side first"});
    }
  }
}

}  // namespace demotic::rules
