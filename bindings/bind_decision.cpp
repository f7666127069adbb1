#include <nanobind/nanobind.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "demotic/forest/decision.h"
#include "held_hypergraph.h"
#include "interruptible.h"
#include "options.h"

namespace nb = nanobind;

namespace demotic::python {
using namespace all;
namespace {

std::span<const double> checked_counts(const NgramForest& forest,
                                       const ArrayArgument<double>& counts) {
  if (static_cast<int32_t>(counts.size()) != forest.table().size())
    throw std::invalid_argument("expected one count per n-gram");
  return span_of(counts);
}

}  // namespace

void bind_decision(nb::module_& m) {
  bind_struct<RiskOptions>(m, "RiskOptions", std::pair{"precision", &RiskOptions::precision},
                           std::pair{"ratio", &RiskOptions::ratio});
  nb::class_<NgramForest>(m, "NgramForest", "A forest split by n-grams; immutable.")
      .def_static(
          "pruned",
          [](const HeldHypergraph& graph, ArrayArgument<double> scores,
             ArrayArgument<int64_t> target_offsets, ArrayArgument<int32_t> target_symbols,
             double density, int64_t max_edges) {
            const auto targets = checked_rows(target_offsets, target_symbols);
            return interruptible([&](const StopFlag& stop, Progress&) {
              check_targets(graph.view(), targets);
              return NgramForest::pruned(graph.view(), targets, graph.checked(scores), density,
                                         max_edges, stop);
            });
          },
          nb::arg("graph"), nb::arg("scores").noconvert(), nb::arg("target_offsets").noconvert(),
          nb::arg("target_symbols").noconvert(), nb::arg("density"), nb::arg("max_edges"),
          "The best part of a forest, split by the boundary words of its nodes.")
      .def("__len__", [](const NgramForest& self) { return self.edges().size(); })
      .def(
          "expected_counts",
          [](const NgramForest& self, const HeldHypergraph& graph, ArrayArgument<double> scores) {
            const auto checked = graph.checked(scores);
            return own_array(released([&] { return self.expected_counts(checked); }));
          },
          nb::arg("graph"), nb::arg("scores").noconvert(),
          "Expected counts of all n-grams by number; that of number 0 counts words.")
      .def(
          "number",
          [](const NgramForest& self, const std::vector<int32_t>& words) {
            int32_t ngram = 0;
            for (const int32_t word : words)
              if ((ngram = self.table().find(ngram, word)) == 0) break;
            return ngram;
          },
          nb::arg("words"), "The number of an n-gram; 0 if the forest does not have it.")
      .def(
          "minimum_risk",
          [](const NgramForest& self, ArrayArgument<double> counts, const RiskOptions& options) {
            const auto checked = checked_counts(self, counts);
            return own_array(released([&] { return minimum_risk(self, checked, options); }));
          },
          nb::arg("counts").noconvert(), nb::arg("options"),
          "Edges of the derivation with the highest expected gain, in pre-order.")
      .def(
          "consensus_gains",
          [](const NgramForest& self, ArrayArgument<double> counts, ArrayArgument<int64_t> offsets,
             ArrayArgument<int32_t> words) {
            const auto checked = checked_counts(self, counts);
            const auto yields = checked_rows(offsets, words);
            return own_array(
                released([&] { return consensus_gains(self.table(), checked, yields); }));
          },
          nb::arg("counts").noconvert(), nb::arg("offsets").noconvert(),
          nb::arg("words").noconvert(), "BLEU+1 of every row of words against expected counts.");
}

}  // namespace demotic::python
