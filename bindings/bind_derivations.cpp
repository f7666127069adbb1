#include <nanobind/nanobind.h>
#include <nanobind/stl/tuple.h>

#include "demotic/forest/constrained_viterbi.h"
#include "demotic/forest/distinct.h"
#include "demotic/forest/features.h"
#include "demotic/forest/kbest.h"
#include "demotic/forest/sample.h"
#include "demotic/forest/yields.h"
#include "held_hypergraph.h"
#include "interruptible.h"

namespace nb = nanobind;

namespace demotic::python {
using namespace all;
namespace {

// Offsets, edges in pre-order, scores.
auto own_derivations(Derivations&& derivations) {
  return std::make_tuple(own_array(std::move(derivations.edges.offsets)),
                         own_array(std::move(derivations.edges.values)),
                         own_array(std::move(derivations.scores)));
}

TargetSides checked_targets(const HeldHypergraph& graph, const ArrayArgument<int64_t>& offsets,
                            const ArrayArgument<int32_t>& symbols) {
  const TargetSides targets{span_of(offsets), span_of(symbols)};
  check_targets(graph.view(), targets);
  return targets;
}

FeatureRows checked_features(const ArrayArgument<int64_t>& offsets,
                             const ArrayArgument<int32_t>& ids,
                             const ArrayArgument<double>& values) {
  const FeatureRows rows{{span_of(offsets), span_of(ids)}, span_of(values)};
  check_rows(rows);
  return rows;
}

void bind_lists(nb::module_& m) {
  m.def(
      "kbest",
      [](const HeldHypergraph& graph, ArrayArgument<double> scores, int32_t node, int64_t k) {
        return own_derivations(interruptible([&](const StopFlag& stop, Progress&) {
          return kbest(graph.view(), graph.checked(scores), graph.checked_node(node), k, stop);
        }));
      },
      nb::arg("graph"), nb::arg("scores").noconvert(), nb::arg("node"), nb::arg("k"));
  m.def(
      "distinct_kbest",
      [](const HeldHypergraph& graph, ArrayArgument<double> scores, int32_t node, int64_t k,
         ArrayArgument<int64_t> target_offsets, ArrayArgument<int32_t> target_symbols,
         int64_t max_examined) {
        DistinctDerivations found = interruptible([&](const StopFlag& stop, Progress&) {
          return distinct_kbest(graph.view(), graph.checked(scores),
                                checked_targets(graph, target_offsets, target_symbols),
                                graph.checked_node(node), k, max_examined, stop);
        });
        return std::make_tuple(own_derivations(std::move(found.derivations)), found.examined,
                               found.complete);
      },
      nb::arg("graph"), nb::arg("scores").noconvert(), nb::arg("node"), nb::arg("k"),
      nb::arg("target_offsets").noconvert(), nb::arg("target_symbols").noconvert(),
      nb::arg("max_examined"), "Derivations, the number examined, whether the list is complete.");
  m.def(
      "best_with_yield",
      [](const HeldHypergraph& graph, ArrayArgument<double> scores,
         ArrayArgument<int64_t> target_offsets, ArrayArgument<int32_t> target_symbols,
         ArrayArgument<int32_t> words) {
        return own_array(released([&] {
          return best_with_yield(graph.view(), graph.checked(scores),
                                 checked_targets(graph, target_offsets, target_symbols),
                                 span_of(words));
        }));
      },
      nb::arg("graph"), nb::arg("scores").noconvert(), nb::arg("target_offsets").noconvert(),
      nb::arg("target_symbols").noconvert(), nb::arg("words").noconvert(),
      "Edges of the best derivation of the root with this yield; none if there is none.");
  m.def(
      "sample",
      [](const HeldHypergraph& graph, ArrayArgument<double> scores, double scale, int64_t count,
         uint64_t seed) {
        return own_derivations(interruptible([&](const StopFlag& stop, Progress&) {
          return sample(graph.view(), graph.checked(scores), scale, count, seed, stop);
        }));
      },
      nb::arg("graph"), nb::arg("scores").noconvert(), nb::arg("scale"), nb::arg("count"),
      nb::arg("seed"));
}

void bind_payload(nb::module_& m) {
  m.def(
      "check_targets",
      [](const HeldHypergraph& graph, ArrayArgument<int64_t> offsets,
         ArrayArgument<int32_t> symbols) { checked_targets(graph, offsets, symbols); },
      nb::arg("graph"), nb::arg("offsets").noconvert(), nb::arg("symbols").noconvert());
  m.def(
      "derivation_yields",
      [](const HeldHypergraph& graph, ArrayArgument<int64_t> offsets, ArrayArgument<int32_t> edges,
         ArrayArgument<int64_t> target_offsets, ArrayArgument<int32_t> target_symbols) {
        return own_rows(released([&] {
          return yields(graph.view(), checked_rows(offsets, edges),
                        checked_targets(graph, target_offsets, target_symbols));
        }));
      },
      nb::arg("graph"), nb::arg("offsets").noconvert(), nb::arg("edges").noconvert(),
      nb::arg("target_offsets").noconvert(), nb::arg("target_symbols").noconvert(),
      "Offsets and words.");
  m.def(
      "row_scores",
      [](ArrayArgument<int64_t> offsets, ArrayArgument<int32_t> ids, ArrayArgument<double> values,
         ArrayArgument<double> weights) {
        return own_array(released(
            [&] { return row_scores(checked_features(offsets, ids, values), span_of(weights)); }));
      },
      nb::arg("offsets").noconvert(), nb::arg("ids").noconvert(), nb::arg("values").noconvert(),
      nb::arg("weights").noconvert(), "weights . features of every row.");
  m.def(
      "sum_rows",
      [](ArrayArgument<int64_t> offsets, ArrayArgument<int32_t> edges,
         ArrayArgument<int64_t> feature_offsets, ArrayArgument<int32_t> ids,
         ArrayArgument<double> values) {
        FeatureTable table = released([&] {
          return sum_rows(checked_rows(offsets, edges),
                          checked_features(feature_offsets, ids, values));
        });
        return std::make_tuple(own_array(std::move(table.ids.offsets)),
                               own_array(std::move(table.ids.values)),
                               own_array(std::move(table.values)));
      },
      nb::arg("offsets").noconvert(), nb::arg("edges").noconvert(),
      nb::arg("feature_offsets").noconvert(), nb::arg("ids").noconvert(),
      nb::arg("values").noconvert(), "Offsets, ids and values of the derivations' features.");
}

}  // namespace

void bind_derivations(nb::module_& m) {
  bind_lists(m);
  bind_payload(m);
}

}  // namespace demotic::python
