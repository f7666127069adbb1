#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <functional>

#include "arrays.h"
#include "demotic/force/force_corpus.h"
#include "interruptible.h"
#include "options.h"
#include "sentence_part.h"

namespace nb = nanobind;

namespace demotic::python {
using namespace all;
namespace {

void bind_options(nb::module_& m) {
  nb::enum_<Prefixes>(m, "Prefixes")
      .value("none", Prefixes::kNoPrefixes)
      .value("longest", Prefixes::kLongest)
      .value("maximal", Prefixes::kMaximal);
  nb::enum_<Outcome>(m, "Outcome")
      .value("reachable", Outcome::kReachable)
      .value("prefix", Outcome::kPrefix)
      .value("unreachable", Outcome::kUnreachable)
      .value("undecided", Outcome::kUndecided);
  nb::enum_<Cause>(m, "Cause")
      .value("none", Cause::kNoCause)
      .value("unknown_word", Cause::kUnknownWord)
      .value("uncovered_word", Cause::kUncoveredWord)
      .value("limit", Cause::kLimit)
      .value("other", Cause::kOther)
      .value("undecided", Cause::kUndecided);
  bind_struct<ForceOptions>(m, "ForceOptions",
                            std::pair{"distortion_limit", &ForceOptions::distortion_limit},
                            std::pair{"gap_test", &ForceOptions::gap_test},
                            std::pair{"span_limit", &ForceOptions::span_limit},
                            std::pair{"prefixes", &ForceOptions::prefixes},
                            std::pair{"min_source_words", &ForceOptions::min_source_words},
                            std::pair{"max_nodes", &ForceOptions::max_nodes},
                            std::pair{"find_cause", &ForceOptions::find_cause});
}

template <auto Member>
auto column() {
  return [](nb::handle self) {
    return view_array(std::span(nb::cast<const ForcedPairs&>(self).*Member), self);
  };
}

void bind_pairs(nb::module_& m) {
  nb::class_<ForcedPairs>(m, "ForcedPairs", "The results of forced decoding, one value per pair.")
      .def_prop_ro("outcome", column<&ForcedPairs::outcome>())
      .def_prop_ro("cause", column<&ForcedPairs::cause>())
      .def_prop_ro("source_words", column<&ForcedPairs::source_words>())
      .def_prop_ro("target_words", column<&ForcedPairs::target_words>())
      .def_prop_ro("derivations", column<&ForcedPairs::derivations>())
      .def_prop_ro("nodes", column<&ForcedPairs::nodes>())
      .def_prop_ro("edges", column<&ForcedPairs::edges>());
}

template <typename Kind>
void bind_force_corpus(nb::module_& m) {
  m.def(
      "force_corpus",
      [](const typename Kind::Model& model, const ForceOptions& options,
         const SourceSentences& source, const std::optional<std::string>& path, int threads,
         const ProgressCallback& progress, const Part& part) {
        if (!source.has_references()) throw std::invalid_argument("sentences without references");
        const SentenceRange range = range_of(source, part);
        return interruptible(
            [&](const StopFlag& stop, Progress& counter) {
              std::optional<GoldForestsWriter> writer;
              if (path) writer.emplace(*path, model.rules().size());
              ForcedPairs pairs = force_corpus<Kind>(
                  model, options, range, writer ? &*writer : nullptr, threads, stop, counter);
              if (writer) writer->commit();
              return pairs;
            },
            progress);
      },
      nb::arg("model"), nb::arg("options"), nb::arg("source"), nb::arg("path").none(),
      nb::arg("threads"), nb::arg("progress").none(), nb::arg("part").none() = nb::none(),
      "Forced decoding of all pairs, or of `part`: those from a first to before a last one. Gold "
      "forests are written to `path` unless it is None.");
}

// A field of every node or edge, or what a function makes of it.
template <auto Elements, typename Field>
void bind_field(nb::class_<GoldForest>& forest, const char* name, Field field) {
  forest.def_prop_ro(
      name,
      [field](const GoldForest& self) {
        std::vector<int32_t> values;
        values.reserve((self.*Elements).size());
        for (const auto& one : self.*Elements)
          values.push_back(static_cast<int32_t>(std::invoke(field, one)));
        return own_array(std::move(values));
      },
      nb::rv_policy::move);
}

void bind_forest_view(nb::module_& m) {
  nb::class_<GoldForest> forest(m, "GoldForest",
                                "All derivations of a pair, or of a prefix of it.");
  forest.def_ro("pair", &GoldForest::pair)
      .def_ro("source_length", &GoldForest::source_length)
      .def_ro("target_length", &GoldForest::target_length)
      .def_ro("whole", &GoldForest::whole)
      .def_prop_ro("nodes", [](const GoldForest& self) { return self.nodes.size(); })
      .def_prop_ro("edges", [](const GoldForest& self) { return self.edges.size(); });
  bind_field<&GoldForest::edge_offsets>(forest, "edge_offsets", std::identity{});
  bind_field<&GoldForest::nodes>(forest, "label", &GoldNode::label);
  bind_field<&GoldForest::nodes>(forest, "source_begin", &GoldNode::source_begin);
  bind_field<&GoldForest::nodes>(forest, "source_end", &GoldNode::source_end);
  bind_field<&GoldForest::nodes>(forest, "target_begin", &GoldNode::target_begin);
  bind_field<&GoldForest::nodes>(forest, "target_end", &GoldNode::target_end);
  // The ids of copied words and glue wrap to -1, -2, ..., a missing tail to -1.
  bind_field<&GoldForest::edges>(forest, "rule", &GoldEdge::rule);
  bind_field<&GoldForest::edges>(forest, "begin", &GoldEdge::begin);
  bind_field<&GoldForest::edges>(forest, "end", &GoldEdge::end);
  bind_field<&GoldForest::edges>(forest, "first_tail",
                                 [](const GoldEdge& edge) { return edge.tails[0]; });
  bind_field<&GoldForest::edges>(forest, "second_tail",
                                 [](const GoldEdge& edge) { return edge.tails[1]; });
}

}  // namespace

void bind_force(nb::module_& m) {
  bind_options(m);
  bind_pairs(m);
  bind_forest_view(m);
  bind_force_corpus<PhraseForcing>(m);
  bind_force_corpus<HieroForcing>(m);
  nb::class_<GoldForests>(m, "GoldForests", "Gold forests of a corpus, mapped from a file.")
      .def_static(
          "open",
          [](const std::string& path, bool verify) {
            return interruptible([&](const StopFlag& stop, Progress&) {
              return GoldForests::open(path, verify, stop);
            });
          },
          nb::arg("path"), nb::arg("verify"))
      .def_static(
          "join",
          [](const std::vector<std::string>& paths, const std::string& path) {
            if (paths.empty()) throw std::invalid_argument("no gold forests to join");
            interruptible([&](const StopFlag& stop, Progress&) {
              std::optional<GoldForestsWriter> writer;
              for (const std::string& one : paths) {
                const GoldForests more = GoldForests::open(one, true, stop);
                if (!writer) writer.emplace(path, more.rules());
                writer->add(more);
              }
              writer->commit();
            });
          },
          nb::arg("paths"), nb::arg("path"), "Joins the forests of parts of a corpus, in order.")
      .def("__len__", &GoldForests::size)
      .def_prop_ro("rules", &GoldForests::rules)
      .def_prop_ro("size_bytes", &GoldForests::size_bytes)
      .def(
          "forest",
          [](const GoldForests& self, size_t i) {
            if (i >= self.size()) throw std::out_of_range("no such forest");
            return self[i];
          },
          nb::arg("i"), nb::keep_alive<0, 1>());
}

}  // namespace demotic::python
