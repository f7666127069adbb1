// What several processes do together: posteriors for aligners, extraction of rules, counts of
// n-grams. Bytes that one of these classes returns are read by another one.
#include <nanobind/nanobind.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "demotic/align/trainer.h"
#include "demotic/lm/disk_estimate.h"
#include "demotic/rules/divided_extraction.h"
#include "interruptible.h"

namespace nb = nanobind;

namespace demotic::python {
using namespace all;
namespace {

using Links = std::vector<const Alignments*>;

std::span<const char> span_of(const nb::bytes& bytes) {
  return {static_cast<const char*>(bytes.data()), bytes.size()};
}

nb::bytes bytes_of(const std::string& text) { return nb::bytes(text.data(), text.size()); }

template <typename T>
nb::bytes bytes_of(const std::vector<T>& values) {
  return nb::bytes(values.data(), values.size() * sizeof(T));
}

void bind_training(nb::module_& m) {
  nb::class_<AlignerTrainer>(m, "AlignerTrainer",
                             "Trains an aligner with posteriors that other processes compute.")
      .def(
          "__init__",
          [](AlignerTrainer* self, const Corpus& source, const Corpus& target,
             const TrainOptions& options, const AlignmentPriors& priors, int threads) {
            interruptible([&](const StopFlag& stop, Progress&) {
              new (self) AlignerTrainer(source, target, options, priors, threads, stop);
            });
          },
          nb::arg("source"), nb::arg("target"), nb::arg("options"), nb::arg("priors"),
          nb::arg("threads"), nb::keep_alive<1, 2>(), nb::keep_alive<1, 3>())
      .def_prop_ro("passes", &AlignerTrainer::passes)
      .def_prop_ro("done", &AlignerTrainer::done)
      .def(
          "resume",
          [](AlignerTrainer& self, const std::string& path, int32_t passes) {
            if (passes < 0 || passes > self.passes())
              throw nb::index_error("more passes than a training has");
            interruptible([&](const StopFlag& stop, Progress&) {
              self.resume(AlignerFile::open(path, true, stop).aligner, passes);
            });
          },
          nb::arg("path"), nb::arg("passes"),
          "Continues after so many passes with the parameters that `save` wrote; call at first.")
      .def_prop_ro("model", &AlignerTrainer::model, "The model of the next pass.")
      .def_prop_ro("chunks", &AlignerTrainer::chunks, "Parts of the text, of similar work.")
      .def(
          "save",
          [](const AlignerTrainer& self, const Vocabulary& vocabulary, const std::string& path) {
            nb::gil_scoped_release release;
            save_aligner(self.aligner(), vocabulary, path);
          },
          nb::arg("vocabulary"), nb::arg("path"), "Writes the parameters so far.")
      .def(
          "add",
          [](AlignerTrainer& self, int64_t first, int64_t last, const nb::bytes& posteriors) {
            interruptible([&, bytes = span_of(posteriors)](const StopFlag& stop, Progress&) {
              self.add(first, last, bytes, stop);
            });
          },
          nb::arg("first"), nb::arg("last"), nb::arg("posteriors"),
          "Adds the posteriors of the next chunks.")
      .def("maximize",
           [](AlignerTrainer& self) {
             interruptible([&](const StopFlag& stop, Progress&) { self.maximize(stop); });
           })
      .def("finish", &AlignerTrainer::finish, "The trained aligner; call once.");

  nb::class_<ExpectationWorker>(m, "ExpectationWorker", "Computes posteriors for a trainer.")
      .def(nb::init<const Corpus&, const Corpus&, const TrainOptions&>(), nb::arg("source"),
           nb::arg("target"), nb::arg("options"), nb::keep_alive<1, 2>(), nb::keep_alive<1, 3>())
      .def(
          "use",
          [](ExpectationWorker& self, const std::string& path, AlignmentModel model) {
            interruptible([&](const StopFlag& stop, Progress&) {
              self.use(AlignerFile::open(path, true, stop).aligner, model);
            });
          },
          nb::arg("path"), nb::arg("model"), "Takes the parameters of a pass from a file.")
      .def(
          "posteriors",
          [](ExpectationWorker& self, int64_t first, int64_t last) {
            return bytes_of(interruptible([&](const StopFlag& stop, Progress&) {
              return self.posteriors(first, last, stop);
            }));
          },
          nb::arg("first"), nb::arg("last"));
}

void bind_extraction(nb::module_& m) {
  nb::class_<ExtractionWorker>(m, "ExtractionWorker",
                               "Extracts, counts and scores rules for a driver.")
      .def(
          "__init__",
          [](ExtractionWorker* self, const Corpus& source, const Corpus& target, const Links& links,
             const ExtractOptions& options) {
            interruptible([&](const StopFlag& stop, Progress&) {
              const AlignedBitext bitext{source, target, links};
              check_bitext(bitext, "links");
              new (self) ExtractionWorker(bitext, options, stop);
            });
          },
          nb::arg("source"), nb::arg("target"), nb::arg("links"), nb::arg("options"),
          nb::keep_alive<1, 2>(), nb::keep_alive<1, 3>(), nb::keep_alive<1, 4>())
      .def(
          "extract",
          [](ExtractionWorker& self, int64_t begin, int64_t end, int32_t parts) {
            const ExtractedShard shard = interruptible([&](const StopFlag& stop, Progress&) {
              return self.extract(begin, end, parts, stop);
            });
            nb::typed<nb::list, nb::bytes> found;
            for (const auto& part : shard.parts) found.append(bytes_of(part));
            return nb::make_tuple(found, shard.distortion, bytes_of(shard.sample));
          },
          nb::arg("begin"), nb::arg("end"), nb::arg("parts"),
          nb::sig("def extract(self, begin: int, end: int, parts: int) -> tuple[list[bytes], "
                  "DistortionCounts, bytes]"),
          "The occurrences of rules in some rows, divided into parts; counts of gaps; a sample of "
          "source sides, as 64-bit numbers.")
      .def(
          "count",
          [](ExtractionWorker& self, const std::string& path, const std::string& folder,
             const std::vector<uint64_t>& bounds) {
            const CountedPart part = interruptible([&](const StopFlag& stop, Progress&) {
              return self.count(path, folder, bounds, stop);
            });
            nb::typed<nb::list, nb::bytes> sources;
            for (const std::string& one : part.sources) sources.append(bytes_of(one));
            return nb::make_tuple(bytes_of(part.targets), sources, part.tallies);
          },
          nb::arg("path"), nb::arg("folder"), nb::arg("bounds"),
          nb::sig("def count(self, path: str, folder: str, bounds: Sequence[int]) -> tuple[bytes, "
                  "list[bytes], list[int]]"),
          "Counts the rules of a file with one part of all shards, in order: target sides, rules "
          "divided by source side, tallies.")
      .def(
          "score",
          [](ExtractionWorker& self, const std::string& path, const std::string& folder,
             const std::vector<uint64_t>& place, const RuleTallies& tallies) {
            return bytes_of(interruptible([&](const StopFlag& stop, Progress&) {
              return self.score({path, folder, place, tallies}, stop);
            }));
          },
          nb::arg("path"), nb::arg("folder"), nb::arg("place"), nb::arg("tallies"),
          "Scores the rules of a file with one part of all that was counted, in order.");

  m.def("source_bounds", &source_bounds, nb::arg("sample"), nb::arg("parts"),
        "Bounds of parts of source sides, of similar work.");

  nb::class_<ExtractionDriver>(m, "ExtractionDriver", "Writes rules scored elsewhere.")
      .def(nb::init<const Corpus&, const Corpus&, const std::string&, const ExtractOptions&>(),
           nb::arg("source"), nb::arg("target"), nb::arg("path"), nb::arg("options"),
           nb::keep_alive<1, 2>(), nb::keep_alive<1, 3>())
      .def(
          "add_targets",
          [](ExtractionDriver& self, const nb::bytes& targets) {
            const std::span bytes(static_cast<const uint8_t*>(targets.data()), targets.size());
            nb::gil_scoped_release release;
            self.add_targets(bytes);
          },
          nb::arg("targets"), "Adds the target sides of the next counted part.")
      .def(
          "add",
          [](ExtractionDriver& self, const nb::bytes& scored) {
            const auto bytes = span_of(scored);
            nb::gil_scoped_release release;
            self.add(bytes);
          },
          nb::arg("scored"), "Adds the rules of the next scored part.")
      .def("finish", &ExtractionDriver::finish, nb::arg("occurrences"), nb::arg("distortion"),
           nb::call_guard<nb::gil_scoped_release>());
}

}  // namespace

void bind_workers(nb::module_& m) {
  bind_training(m);
  bind_extraction(m);
  m.attr("OCCURRENCE_BYTES") = sizeof(Occurrence);
  m.def(
      "count_ngram_part",
      [](const std::string& tokens, int order, uint32_t first, uint32_t last, size_t memory,
         const std::string& folder, const std::string& path) {
        interruptible([&](const StopFlag& stop, Progress&) {
          count_ngram_part({tokens, order, first, last}, {memory, folder}, path, stop);
        });
      },
      nb::arg("tokens"), nb::arg("order"), nb::arg("first"), nb::arg("last"), nb::arg("memory"),
      nb::arg("folder"), nb::arg("path"),
      "Writes the n-grams that begin with the words from first to last, counted and sorted.");
}

}  // namespace demotic::python
