#include <nanobind/nanobind.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "demotic/forest/envelope.h"
#include "demotic/forest/posteriors.h"
#include "demotic/forest/prune.h"
#include "demotic/forest/viterbi.h"
#include "held_hypergraph.h"
#include "interruptible.h"

namespace nb = nanobind;

namespace demotic::python {
using namespace all;

void bind_derivations(nb::module_& m);

namespace {

void bind_hypergraph(nb::module_& m) {
  nb::class_<HeldHypergraph>(m, "Hypergraph", "Topology over flat arrays; immutable.")
      .def(nb::init<ArrayArgument<int32_t>, ArrayArgument<int32_t>, ArrayArgument<int32_t>>(),
           nb::arg("edge_offsets").noconvert(), nb::arg("tail_offsets").noconvert(),
           nb::arg("tails").noconvert(),
           "Keeps the arrays, which must not be modified any more. Raises ModelError.")
      .def_prop_ro("nodes", [](const HeldHypergraph& self) { return self.view().nodes(); })
      .def_prop_ro("edges", [](const HeldHypergraph& self) { return self.view().edges(); })
      .def("edge_heads",
           [](const HeldHypergraph& self) { return own_array(edge_heads(self.view())); })
      .def(
          "count_derivations",
          [](const HeldHypergraph& self) {
            return own_array(released([&] { return count_derivations(self.view()); }));
          },
          "Number of derivations of every node, exact below 2^64 - 1, the maximum.")
      .def(
          "estimate_derivations",
          [](const HeldHypergraph& self) {
            return own_array(released([&] { return estimate_derivations(self.view()); }));
          },
          "The same as rounded doubles; infinite beyond their range.");
}

void bind_viterbi(nb::module_& m) {
  m.def(
      "viterbi",
      [](const HeldHypergraph& graph, ArrayArgument<double> scores) {
        std::vector<double> best;
        std::vector<int32_t> edges;
        released([&] {
          for (const Best::Value& value : viterbi(graph.view(), graph.checked(scores))) {
            best.push_back(value.score);
            edges.push_back(value.edge);
          }
        });
        return std::make_tuple(own_array(std::move(best)), own_array(std::move(edges)));
      },
      nb::arg("graph"), nb::arg("scores").noconvert(),
      "Score and first edge of the best derivation of every node.");
  m.def(
      "best_derivation",
      [](const HeldHypergraph& graph, ArrayArgument<double> scores, int32_t node) {
        double score = 0;
        std::vector<int32_t> edges = released([&] {
          const std::vector<Best::Value> best = viterbi(graph.view(), graph.checked(scores));
          score = best[graph.checked_node(node)].score;
          return best_derivation(graph.view(), best, node);
        });
        return std::make_tuple(own_array(std::move(edges)), score);
      },
      nb::arg("graph"), nb::arg("scores").noconvert(), nb::arg("node"),
      "Edges in pre-order and score; no edges if there is no derivation.");
}

void bind_sums(nb::module_& m) {
  const auto bind = [&](const char* name, auto function, const char* text) {
    m.def(
        name,
        [function](const HeldHypergraph& graph, ArrayArgument<double> scores) {
          return own_array(released([&] { return function(graph.view(), graph.checked(scores)); }));
        },
        nb::arg("graph"), nb::arg("scores").noconvert(), text);
  };
  bind("log_inside", log_inside, "Log of the sum over the derivations of every node.");
  bind(
      "log_outside",
      [](const HypergraphView& graph, std::span<const double> scores) {
        return log_outside(graph, scores, log_inside(graph, scores));
      },
      "Log of the sum over the completions of every node.");
  bind("edge_posteriors", edge_posteriors, "Expected number of uses of an edge.");
  bind("node_posteriors", node_posteriors, "Expected number of uses of a node.");
}

}  // namespace

void bind_forest(nb::module_& m) {
  bind_hypergraph(m);
  bind_viterbi(m);
  bind_sums(m);
  bind_derivations(m);

  m.def(
      "prune",
      [](const HeldHypergraph& graph, ArrayArgument<double> scores, double threshold,
         double density) {
        SubHypergraph part = released(
            [&] { return prune(graph.view(), graph.checked(scores), {threshold, density}); });
        return std::make_tuple(own_array(std::move(part.graph.edge_offsets)),
                               own_array(std::move(part.graph.tail_offsets)),
                               own_array(std::move(part.graph.tails)),
                               own_array(std::move(part.nodes)), own_array(std::move(part.edges)));
      },
      nb::arg("graph"), nb::arg("scores").noconvert(), nb::arg("threshold"), nb::arg("density"),
      "The arrays of the smaller hypergraph, and the former indices of its nodes and edges.");
  m.def(
      "envelope",
      [](const HeldHypergraph& graph, ArrayArgument<double> intercepts,
         ArrayArgument<double> slopes) {
        Envelope result = interruptible([&](const StopFlag& stop, Progress&) {
          return envelope(graph.view(), graph.checked(intercepts), graph.checked(slopes), stop);
        });
        return std::make_tuple(
            own_array(std::move(result.left)), own_array(std::move(result.intercept)),
            own_array(std::move(result.slope)), own_array(std::move(result.derivations.offsets)),
            own_array(std::move(result.derivations.values)));
      },
      nb::arg("graph"), nb::arg("intercepts").noconvert(), nb::arg("slopes").noconvert(),
      "Left ends, intercepts, slopes and derivations of the segments.");
}

}  // namespace demotic::python
