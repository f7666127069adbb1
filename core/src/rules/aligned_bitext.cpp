#include "demotic/rules/aligned_bitext.h"

#include "demotic/base/errors.h"

namespace demotic::rules {
namespace {

void check_links(const AlignedBitext& bitext, const Alignments& links, const std::string& name) {
  if (static_cast<int64_t>(links.size()) != bitext.size()) {
    throw ModelError({.path = name,
                      .found = "links of " + std::to_string(links.size()) + " sentence pairs",
                      .expected = "links of " + std::to_string(bitext.size()),
                      .advice = "align the same text that the rules are extracted from"});
  }
  for (int64_t i = 0; i < bitext.size(); ++i) {
    const auto source = static_cast<int32_t>(bitext.source[i].size());
    const auto target = static_cast<int32_t>(bitext.target[i].size());
    for (const Link link : links[i]) {
      if (link.source < source && link.target < target) continue;
      throw FormatError(
          {.path = name,
           .line = i + 1,
           .found = "link " + std::to_string(link.source) + "-" + std::to_string(link.target),
           .expected = "positions inside sentences of " + std::to_string(source) + " and " +
                       std::to_string(target) + " words",
           .advice = "check that the links belong to this text, source side first"});
    }
  }
}

}  // namespace

void check_bitext(const AlignedBitext& bitext, const std::string& links_name) {
  if (bitext.target.size() != bitext.source.size()) {
    throw ModelError({.found = std::to_string(bitext.source.size()) + " source sentences and " +
                               std::to_string(bitext.target.size()) + " target sentences",
                      .expected = "equal numbers"});
  }
  if (bitext.links.empty())
    throw ModelError({.path = links_name, .found = "no links", .expected = "at least one set"});
  for (const Alignments* links : bitext.links) check_links(bitext, *links, links_name);
}

}  // namespace demotic::rules
