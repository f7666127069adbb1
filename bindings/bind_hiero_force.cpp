#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>

#include "arrays.h"
#include "demotic/force/hiero_force.h"
#include "interruptible.h"

namespace nb = nanobind;

namespace demotic::python {
using namespace all;
namespace {

template <typename T>
using Array = nb::ndarray<nb::numpy, T, nb::ndim<1>>;
using ForestArrays = nb::typed<nb::tuple, Array<int32_t>, Array<uint32_t>, Array<uint32_t>,
                               Array<uint32_t>, Array<int32_t>>;
using RunResult = nb::typed<nb::tuple, int, int, nb::typed<nb::list, ForestArrays>>;
using SurveyArrays =
    nb::typed<nb::tuple, Array<int32_t>, Array<int32_t>, Array<int64_t>, Array<int64_t>>;

// What a forest holds, row by row in flat arrays.
ForestArrays forest_arrays(FoundForest&& forest) {
  std::vector<int32_t> nodes, spans;
  std::vector<uint32_t> rules, tails;
  for (const GoldNode& node : forest.nodes)
    nodes.insert(nodes.end(), {node.label, node.source_begin, node.source_end, node.target_begin,
                               node.target_end});
  for (const GoldEdge& edge : forest.edges) {
    rules.push_back(edge.rule);
    tails.insert(tails.end(), edge.tails.begin(), edge.tails.end());
    spans.insert(spans.end(), {edge.begin, edge.end});
  }
  return nb::make_tuple(own_array(std::move(nodes)), own_array(std::move(forest.edge_offsets)),
                        own_array(std::move(rules)), own_array(std::move(tails)),
                        own_array(std::move(spans)));
}

void check_references(const SourceSentences& source) {
  if (!source.has_references()) throw std::invalid_argument("sentences without references");
}

// How far each reference is reached, why not, and the sizes of its forest.
struct Survey {
  std::vector<int32_t> reached, cause;
  std::vector<int64_t> nodes, edges;
};

Survey survey(HieroForce& force, const SourceSentences& source, const StopFlag& stop,
              Progress& progress) {
  Survey made;
  progress.expect(source.size());
  for (size_t i = 0; i < source.size(); ++i) {
    const ForcedResult result = force.run(source, i, stop);
    made.reached.push_back(static_cast<int32_t>(result.reached));
    made.cause.push_back(static_cast<int32_t>(result.cause));
    const bool found = !result.forests.empty();
    made.nodes.push_back(found ? static_cast<int64_t>(result.forests[0].nodes.size()) : 0);
    made.edges.push_back(found ? static_cast<int64_t>(result.forests[0].edges.size()) : 0);
    progress.advance();
  }
  return made;
}

}  // namespace

void bind_hiero_force(nb::module_& m) {
  nb::class_<HieroForce>(m, "HieroForce", "Forced search of one Hiero model, one thread.")
      .def(
          "__init__",
          [](HieroForce* self, const HieroModel& model, int32_t span_limit, int64_t max_nodes,
             bool find_cause) {
            ForceOptions options;
            options.span_limit = span_limit;
            options.max_nodes = max_nodes;
            options.find_cause = find_cause;
            new (self) HieroForce(model, options);
          },
          nb::arg("model"), nb::kw_only(), nb::arg("span_limit"), nb::arg("max_nodes"),
          nb::arg("find_cause"), nb::keep_alive<1, 2>())
      .def(
          "run",
          [](HieroForce& self, const SourceSentences& source, size_t sentence) -> RunResult {
            if (sentence >= source.size()) throw std::out_of_range("no such sentence");
            check_references(source);
            ForcedResult result = interruptible(
                [&](const StopFlag& stop, Progress&) { return self.run(source, sentence, stop); });
            nb::list forests;
            for (FoundForest& forest : result.forests)
              forests.append(forest_arrays(std::move(forest)));
            return nb::make_tuple(static_cast<int>(result.reached), static_cast<int>(result.cause),
                                  forests);
          },
          nb::arg("source"), nb::arg("sentence"),
          "How far the reference is reached, why not, and forests: nodes (label, source span, "
          "target span), edge offsets, rules, tails (two an edge), spans.")
      .def(
          "survey",
          [](HieroForce& self, const SourceSentences& source,
             const ProgressCallback& progress) -> SurveyArrays {
            check_references(source);
            Survey made = interruptible(
                [&](const StopFlag& stop, Progress& counter) {
                  return survey(self, source, stop, counter);
                },
                progress);
            return nb::make_tuple(
                own_array(std::move(made.reached)), own_array(std::move(made.cause)),
                own_array(std::move(made.nodes)), own_array(std::move(made.edges)));
          },
          nb::arg("source"), nb::arg("progress").none(),
          "Of all sentences: how far reached, why not, nodes and edges of the forest.");
}

}  // namespace demotic::python
