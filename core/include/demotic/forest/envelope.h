// The upper envelope of a forest along a line: which derivation is best at every x, when the score
// of an edge is intercept + x * slope. The kernel of hypergraph MERT (Kumar et al. 2009).
//
// A derivation is a line. The envelope of an edge is the Minkowski sum of those of its tails,
// shifted by the edge's own line: their break points are merged in order. That of a node is the
// envelope of the lines of its edges. Only lines that are on the envelope of their node are kept,
// each with the lines of the tails that it came from.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "demotic/base/csr.h"
#include "demotic/base/stop.h"
#include "demotic/forest/hypergraph.h"

namespace demotic::forest {

// Segment i is best from left[i] to left[i + 1]; left[0] is minus infinity, the last has no end.
// Slopes rise. At a break point both neighbours are best.
struct Envelope {
  std::vector<double> left, intercept, slope;
  Csr<int32_t> derivations;  // edges in pre-order, a row a segment
};

// Of the root; empty if it has no derivation. Intercepts may be minus infinity (the edge is in no
// derivation), slopes are finite. Of derivations with one line the first by edge is kept; one that
// is best at a single point only is not.
Envelope envelope(const HypergraphView& graph, std::span<const double> intercepts,
                  std::span<const double> slopes, const StopFlag& stop);

// The same again and again, in memory that is kept. One a thread.
class EnvelopeFinder {
 public:
  EnvelopeFinder();
  ~EnvelopeFinder();
  EnvelopeFinder(EnvelopeFinder&&) noexcept;
  EnvelopeFinder& operator=(EnvelopeFinder&&) noexcept;

  // Holds until the next call.
  const Envelope& operator()(const HypergraphView& graph, std::span<const double> intercepts,
                             std::span<const double> slopes, const StopFlag& stop);

 private:
  class Lines;
  std::unique_ptr<Lines> lines_;
};

}  // namespace demotic::forest
