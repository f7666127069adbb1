// N-gram lists, ARPA files, estimation, mixtures.
#include <nanobind/nanobind.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include "demotic/lm/arpa.h"
#include "demotic/lm/disk_build.h"
#include "demotic/lm/disk_estimate.h"
#include "demotic/lm/estimate.h"
#include "demotic/lm/language_model.h"
#include "demotic/lm/mix.h"
#include "demotic/rules/rule_table_print.h"
#include "interruptible.h"

namespace nb = nanobind;

namespace demotic::python {
using namespace all;

void bind_lm_query(nb::module_& m);

namespace {

void bind_ngrams(nb::module_& m) {
  nb::class_<NgramModel>(m, "NgramModel", "N-grams with probabilities, as lists.")
      .def_prop_ro("order", &NgramModel::order)
      .def_prop_ro("counts",
                   [](const NgramModel& self) {
                     std::vector<size_t> counts;
                     for (const NgramOrder& order : self.orders) counts.push_back(order.size());
                     return counts;
                   })
      .def_ro("vocabulary", &NgramModel::vocabulary);

  nb::class_<ArpaReader>(m, "ArpaReader", "Reads the bytes of an ARPA file into n-grams.")
      .def(nb::init<std::string, bool>(), nb::arg("name"), nb::arg("marks_may_miss"))
      .def(
          "feed",
          [](ArpaReader& self, const nb::bytes& chunk) {
            const std::string_view view(static_cast<const char*>(chunk.data()), chunk.size());
            nb::gil_scoped_release release;
            self.feed(view);
          },
          nb::arg("chunk"))
      .def("finish", &ArpaReader::finish, nb::call_guard<nb::gil_scoped_release>());

  nb::class_<ArpaWriter>(m, "ArpaWriter", "Writes the text of an ARPA file in pieces.")
      .def(
          "__init__",
          [](ArpaWriter* self, const NgramModel& ngrams, std::optional<TableFormat> table) {
            new (self) ArpaWriter(ngrams, table ? table_spelling(*table) : kArpaSpelling);
          },
          nb::arg("ngrams"), nb::arg("table").none() = nb::none(), nb::keep_alive<1, 2>(),
          "Words are escaped as in rule tables of the format `table` if one is given.")
      .def(
          "next",
          [](ArpaWriter& self, int threads) {
            return interruptible(
                [&](const StopFlag& stop, Progress&) { return self.next(threads, stop); });
          },
          nb::arg("threads"), "The next few megabytes; empty at the end.");
}

void bind_estimation(nb::module_& m) {
  nb::class_<KneserNeyReport>(m, "KneserNeyReport", "The report of an estimation.")
      .def_ro("discounts", &KneserNeyReport::discounts)
      .def_ro("fallback_orders", &KneserNeyReport::fallback_orders);

  m.def(
      "estimate_kneser_ney",
      [](const Corpus& corpus, const Vocabulary& vocabulary, int order, std::vector<int64_t> prune,
         bool discount_fallback, const ProgressCallback& progress) {
        KneserNeyModel model = interruptible(
            [&](const StopFlag& stop, Progress& p) {
              return estimate_kneser_ney(corpus, vocabulary,
                                         {order, std::move(prune), discount_fallback}, stop, p);
            },
            progress);
        return std::pair(std::move(model.ngrams), std::move(model.report));
      },
      nb::arg("corpus"), nb::arg("vocabulary"), nb::arg("order"), nb::arg("prune"),
      nb::arg("discount_fallback"), nb::arg("progress").none());
  nb::class_<DiskReport, KneserNeyReport>(m, "DiskReport", "The report of an estimation on disk.")
      .def_ro("ngrams", &DiskReport::ngrams);

  nb::class_<DiskEstimator>(m, "DiskEstimator", "Estimates a model of text larger than memory.")
      .def_static(
          "make",
          [](int order, std::vector<int64_t> prune, bool discount_fallback, size_t memory,
             std::string folder, int threads) {
            return DiskEstimator::make({order, std::move(prune), discount_fallback},
                                       {memory, std::move(folder), threads});
          },
          nb::arg("order"), nb::arg("prune"), nb::arg("discount_fallback"), nb::arg("memory"),
          nb::arg("folder"), nb::arg("threads"))
      .def(
          "add",
          [](DiskEstimator& self, const Corpus& text) {
            interruptible([&](const StopFlag& stop, Progress&) { self.add(text, stop); });
          },
          nb::arg("text"))
      .def("add_counted", &DiskEstimator::add_counted, nb::arg("path"),
           "Instead of text: the next file of n-grams that count_ngram_part wrote.")
      .def(
          "write",
          [](DiskEstimator& self, const Vocabulary& vocabulary, const nb::object& write,
             int threads, const ProgressCallback& progress) {
            const ArpaText::Sink sink = [&](std::string&& piece) {
              nb::gil_scoped_acquire acquire;
              write(nb::str(piece.data(), piece.size()));
            };
            return interruptible(
                [&](const StopFlag& stop, Progress& count) {
                  ArpaText text(vocabulary, sink, threads, stop);
                  return self.finish(vocabulary, text, stop, count);
                },
                progress);
          },
          nb::arg("vocabulary"), nb::arg("write"), nb::arg("threads"), nb::arg("progress").none(),
          "Writes the model as ARPA, in pieces of text; call write or write_binary, once.")
      .def(
          "write_binary",
          [](DiskEstimator& self, const Vocabulary& vocabulary, const std::string& path,
             bool quantized, const ProgressCallback& progress) {
            return interruptible(
                [&](const StopFlag& stop, Progress& count) {
                  DiskBuilder builder(vocabulary, path, quantized, self.disk(), stop, count);
                  return self.finish(vocabulary, builder, stop, count);
                },
                progress);
          },
          nb::arg("vocabulary"), nb::arg("path"), nb::arg("quantized"), nb::arg("progress").none(),
          "Writes the model in the binary format.");
  m.def(
      "mix_models",
      [](const LanguageModel& first, const LanguageModel& second, double weight) {
        return interruptible(
            [&](const StopFlag& stop, Progress&) { return mix(first, second, weight, stop); });
      },
      nb::arg("first"), nb::arg("second"), nb::arg("weight"));
}

}  // namespace

void bind_lm(nb::module_& m) {
  m.attr("MAX_LM_ORDER") = kMaxLmOrder;
  bind_ngrams(m);
  bind_lm_query(m);
  bind_estimation(m);
}

}  // namespace demotic::python
