// Samples derivations with p(d) proportional to exp(scale * score(d)).
#pragma once

#include <cstdint>
#include <span>

#include "demotic/base/stop.h"
#include "demotic/forest/derivations.h"
#include "demotic/forest/hypergraph.h"

namespace demotic::forest {

// `count` independent derivations of the root with their (unscaled) scores; none if it has none.
// Derivation i depends only on (seed, i). Exact up to rounding: an edge is chosen in proportion to
// the inside sum of the derivations that begin with it. The scale must be finite; an edge with
// score minus infinity is never drawn, even at scale 0, where all other derivations are equally
// likely.
Derivations sample(const HypergraphView& graph, std::span<const double> scores, double scale,
                   int64_t count, uint64_t seed, const StopFlag& stop);

}  // namespace demotic::forest
