#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>

#include "demotic/align/aligner_stream.h"
#include "demotic/align/pair_decoder.h"
#include "demotic/align/pair_lines.h"
#include "interruptible.h"

namespace nb = nanobind;

namespace demotic::python {
using namespace all;

void bind_align_stream(nb::module_& m) {
  nb::class_<StreamBatch>(m, "StreamBatch", "The links of a batch of sentence pairs, as text.")
      .def_prop_ro(
          "text",
          [](const StreamBatch& self) { return nb::bytes(self.text.data(), self.text.size()); },
          "One line per pair.")
      .def_ro("pairs", &StreamBatch::pairs)
      .def_ro("links", &StreamBatch::links)
      .def_ro("empty", &StreamBatch::empty)
      .def_ro("cut", &StreamBatch::cut);

  nb::class_<AlignerStream>(m, "AlignerStream", "Aligns batches of lines; one batch at a time.")
      .def(
          "__init__",
          [](AlignerStream* self, const Aligner& aligner, const Vocabulary& vocabulary,
             Symmetrization symmetrization, double threshold, bool scores, bool posteriors,
             int threads) {
            const StreamOptions options{{symmetrization, threshold}, scores, posteriors};
            new (self) AlignerStream(aligner, vocabulary, options, threads);
          },
          nb::arg("aligner"), nb::arg("vocabulary"), nb::arg("symmetrization"),
          nb::arg("threshold"), nb::arg("scores"), nb::arg("posteriors"), nb::arg("threads"),
          nb::keep_alive<1, 2>())
      .def(
          "align",
          [](AlignerStream& self, const Lines& source, const Lines& target) {
            return interruptible(
                [&](const StopFlag& stop, Progress&) { return self.align(source, target, stop); });
          },
          nb::arg("source"), nb::arg("target"));

  m.def(
      "split_pairs",
      [](const Lines& lines, bool tsv, int32_t source, int32_t target, const std::string& name,
         int64_t first_line) {
        if (source < 0 || target < 0) throw std::invalid_argument("columns count from 0");
        const PairColumns columns{tsv ? PairFormat::kTsv : PairFormat::kJoined, source, target};
        nb::gil_scoped_release release;
        return split_pairs(lines, columns, name, first_line);
      },
      nb::arg("lines"), nb::arg("tsv"), nb::arg("source"), nb::arg("target"), nb::arg("name"),
      nb::arg("first_line"), "Both sides of lines that hold a sentence pair each.");
}

}  // namespace demotic::python
