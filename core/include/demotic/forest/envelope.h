// The upper envelope of a forest along a line: the best derivation for every x, if the score of an
// edge is intercept + x * slope. The kernel of hypergraph MERT (Kumar et al. 2009).
//
// A derivation is a line. The envelope of an edge is the Minkowski sum of those of its tails,
// shifted by the edge's own line: their break points are merged in order. The envelope of a node is
// that of the lines of its edges. Only lines on the envelope of their node are kept, each with the
// lines of the tails it came from.
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
// Slopes are ascending. At a break point both neighbours are best.
struct Envelope {
  std::vector<double> left, intercept, slope;
  Csr<int32_t> derivations;  // edges in pre-order, one row per segment
};

// The envelope of the root; empty if it has no derivation. Intercepts may be minus infinity (the
// edge is in no derivation), slopes must be finite. Of derivations with the same line the first by
// edge is kept; one that is best only at a single point is not.
Envelope envelope(const HypergraphView& graph, std::span<const double> intercepts,
                  std::span<const double> slopes, const StopFlag& stop);

// The same repeatedly, reusing memory. Use one instance per thread.
class EnvelopeFinder {
 public:
  EnvelopeFinder();
  ~EnvelopeFinder();
  EnvelopeFinder(EnvelopeFinder&&) noexcept;
  EnvelopeFinder& operator=(EnvelopeFinder&&) noexcept;

  // Valid until the next call.
  const Envelope& operator()(const HypergraphView& graph, std::span<const double> intercepts,
                             std::span<const double> slopes, const StopFlag& stop);

 private:
  class Lines;
  std::unique_ptr<Lines> lines_;
};

}  // namespace demotic::forest
