// A hypergraph over NumPy arrays: checked once, kept alive by the handle, never copied.
#pragma once

#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>

#include "arrays.h"
#include "demotic/base/csr.h"
#include "demotic/forest/hypergraph.h"

namespace demotic::python {
using namespace all;

class HeldHypergraph {
 public:
  HeldHypergraph(ArrayArgument<int32_t> edge_offsets, ArrayArgument<int32_t> tail_offsets,
                 ArrayArgument<int32_t> tails)
      : edge_offsets_(std::move(edge_offsets)),
        tail_offsets_(std::move(tail_offsets)),
        tails_(std::move(tails)) {
    check(view());
  }

  HypergraphView view() const {
    return {span_of(edge_offsets_), span_of(tail_offsets_), span_of(tails_)};
  }

  // The scores of an argument, one per edge.
  std::span<const double> checked(const ArrayArgument<double>& scores) const {
    check_scores(view(), span_of(scores));
    return span_of(scores);
  }

  int32_t checked_node(int32_t node) const {
    if (node < 0 || node >= view().nodes())
      throw std::out_of_range("node " + std::to_string(node) + " of " +
                              std::to_string(view().nodes()));
    return node;
  }

 private:
  ArrayArgument<int32_t> edge_offsets_, tail_offsets_, tails_;
};

// Runs work() without the GIL; it must not touch Python.
template <typename Work>
auto released(Work&& work) {
  nanobind::gil_scoped_release release;
  return work();
}

// External rows; throws std::invalid_argument.
inline CsrView<int32_t> checked_rows(const ArrayArgument<int64_t>& offsets,
                                     const ArrayArgument<int32_t>& values) {
  const CsrView<int32_t> rows{span_of(offsets), span_of(values)};
  if (!well_formed(rows)) throw std::invalid_argument("inconsistent offsets and values");
  return rows;
}

inline auto own_rows(Csr<int32_t>&& rows) {
  return std::make_tuple(own_array(std::move(rows.offsets)), own_array(std::move(rows.values)));
}

}  // namespace demotic::python
