#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include "arrays.h"
#include "demotic/text/segmenter.h"
#include "demotic/text/segmenter_learning.h"
#include "interruptible.h"
#include "options.h"

namespace nb = nanobind;

namespace demotic::python {
using namespace all;
namespace {

LearntWords learnt_words(const std::vector<std::vector<WordId>>& words,
                         const std::vector<double>& log_probs) {
  LearntWords model;
  for (const std::vector<WordId>& word : words) {
    model.words.values.insert(model.words.values.end(), word.begin(), word.end());
    model.words.end_row();
  }
  model.log_probs = log_probs;
  return model;
}

}  // namespace

void bind_segmenter(nb::module_& m) {
  bind_struct<SegmenterOptions>(m, "SegmenterOptions",
                                std::pair{"max_units", &SegmenterOptions::max_units},
                                std::pair{"min_count", &SegmenterOptions::min_count},
                                std::pair{"min_gain", &SegmenterOptions::min_gain},
                                std::pair{"cost", &SegmenterOptions::cost});

  nb::class_<LearntWords>(m, "LearntWords",
                          "Words as ids of units, with natural log probabilities.")
      .def(
          "__init__",
          [](LearntWords* self, const std::vector<std::vector<WordId>>& words,
             const std::vector<double>& log_probs) {
            new (self) LearntWords(learnt_words(words, log_probs));
          },
          nb::arg("words"), nb::arg("log_probs"))
      .def("__len__", [](const LearntWords& self) { return self.words.size(); })
      .def(
          "word",
          [](const LearntWords& self, size_t i) {
            if (i >= self.words.size()) throw nb::index_error();
            return std::vector<WordId>(self.words[i].begin(), self.words[i].end());
          },
          nb::arg("index"), "The ids of its units.")
      .def_prop_ro("log_probs", [](const LearntWords& self) { return self.log_probs; });

  m.def(
      "learn_segmenter",
      [](const Corpus& runs, WordId units, const SegmenterOptions& options, int threads,
         const ProgressCallback& callback) {
        return interruptible(
            [&](const StopFlag& stop, Progress& progress) {
              return learn_segmenter(runs, units, options, threads, stop, progress);
            },
            callback);
      },
      nb::arg("runs"), nb::arg("units"), nb::arg("options"), nb::arg("threads"),
      nb::arg("progress").none());

  m.def(
      "expected_counts",
      [](const Corpus& runs, const LearntWords& model, int threads) {
        const Expectations found = interruptible([&](const StopFlag& stop, Progress&) {
          return expected_counts(runs, model, threads, stop);
        });
        return std::pair(found.counts, found.log_likelihood);
      },
      nb::arg("runs"), nb::arg("model"), nb::arg("threads"));

  nb::class_<Segmenter>(m, "Segmenter", "Joins units to the most probable words; immutable.")
      .def(
          "__init__",
          [](Segmenter* self, const std::vector<std::string>& words,
             const std::vector<double>& log_probs) { new (self) Segmenter(words, log_probs); },
          nb::arg("words"), nb::arg("log_probs"))
      .def("__len__", &Segmenter::size)
      .def(
          "segment",
          [](const Segmenter& self, const std::vector<std::string_view>& units) {
            return self.segment(units);
          },
          nb::arg("units"), "The number of units of each word.");
}

}  // namespace demotic::python
