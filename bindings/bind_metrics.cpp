#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include "arrays.h"
#include "demotic/metrics/bleu.h"
#include "demotic/metrics/chrf.h"
#include "demotic/metrics/resample.h"
#include "demotic/metrics/ter.h"
#include "interruptible.h"

namespace nb = nanobind;

namespace demotic::python {
using namespace all;
namespace {

using Texts = nb::typed<nb::list, nb::str>;

// Copied, so that they cannot change while the GIL is released.
Lines lines_of(const Texts& texts) {
  Lines lines;
  lines.offsets.reserve(texts.size() + 1);
  for (nb::handle text : texts) {
    Py_ssize_t size = 0;
    const char* bytes = PyUnicode_AsUTF8AndSize(text.ptr(), &size);
    if (bytes == nullptr) throw nb::python_error();
    lines.append({bytes, static_cast<size_t>(size)});
  }
  return lines;
}

// Candidates whose words are indices into `words`, joined by spaces.
Lines joined(const Lines& words, const CsrView<WordId>& ids) {
  if (!well_formed(ids)) throw std::invalid_argument("the offsets do not fit the words");
  Lines lines;
  lines.offsets.reserve(ids.size() + 1);
  std::string line;
  for (size_t i = 0; i < ids.size(); ++i) {
    line.clear();
    for (const WordId id : ids[i]) {
      if (id < 0 || static_cast<size_t>(id) >= words.size())
        throw std::out_of_range("word " + std::to_string(id) + " of " +
                                std::to_string(words.size()));
      if (!line.empty()) line += ' ';
      line += words[id];
    }
    lines.append(line);
  }
  return lines;
}

std::vector<int64_t> vector_of(const ArrayArgument<int64_t>& array) {
  return {array.data(), array.data() + array.size()};
}

// Runs work(stop) without the GIL. Small work runs on the calling thread: starting another one,
// which Ctrl-C needs, would cost more than the work.
template <typename Work>
auto run(size_t size, Work&& work) {
  constexpr size_t kSmall = 1 << 14;  // bytes or words
  if (size > kSmall)
    return interruptible([&](const StopFlag& stop, Progress&) { return work(stop); });
  nb::gil_scoped_release release;
  const StopFlag stop;
  return work(stop);
}

void bind_references(nb::module_& m) {
  m.def(
      "segment",
      [](std::string_view text, std::string_view tokenize) {
        Segmenter segmenter(segmentation_named(tokenize));
        nb::typed<nb::list, nb::str> tokens;
        for (std::string_view token : segmenter(text))
          tokens.append(nb::str(token.data(), token.size()));
        return tokens;
      },
      nb::arg("text"), nb::arg("tokenize"), "The tokens of a line as a metric defines them.");

  nb::class_<ReferenceSet>(m, "ReferenceSet", "The references of a corpus as word ids; immutable.")
      .def(
          "__init__",
          [](ReferenceSet* self, const Texts& texts, ArrayArgument<int64_t> first,
             std::string_view tokenize) {
            const Lines lines = lines_of(texts);
            const Segmentation segmentation = segmentation_named(tokenize);
            run(lines.bytes.size(), [&](const StopFlag& stop) {
              new (self) ReferenceSet(lines, vector_of(first), segmentation, stop);
            });
          },
          nb::arg("texts"), nb::arg("first").noconvert(), nb::arg("tokenize"),
          "Sentence i has texts[first[i]:first[i + 1]].")
      .def("__len__", &ReferenceSet::size)
      .def_prop_ro("length_scale", &ReferenceSet::length_scale)
      .def(
          "lengths",
          [](const ReferenceSet& self) {
            std::vector<int32_t> lengths(self.first(self.size()));
            for (size_t i = 0; i < lengths.size(); ++i)
              lengths[i] = static_cast<int32_t>(self.text(static_cast<int64_t>(i)).size());
            return own_array(std::move(lengths));
          },
          "Number of words of every reference.")
      .def(
          "ids_of",
          [](const ReferenceSet& self, const Texts& words) {
            const Lines lines = lines_of(words);
            std::vector<WordId> ids;
            for (size_t i = 0; i < lines.size(); ++i) ids.push_back(self.find(lines[i]));
            return own_array(std::move(ids));
          },
          nb::arg("words"), "The id of each word; -1 for words that occur in no reference.");
}

// NAME(references, texts, ...), NAME_of_ids(references, offsets, words, ...) and
// NAME_of_words(references, words, offsets, ids, ...), which differ in how candidates are given;
// work(references, candidates, reference_length, threads, stop).
template <typename Work>
void bind_rows(nb::module_& m, const std::string& name, const Work& work) {
  m.def(
      name.c_str(),
      [work](const ReferenceSet& references, const Texts& texts, ArrayArgument<int64_t> sentences,
             std::string_view reference_length, int threads) {
        const Lines lines = lines_of(texts);
        const ReferenceLength rule = reference_length_named(reference_length);
        return own_array(run(lines.bytes.size(), [&](const StopFlag& stop) {
          const Candidates candidates(references, lines, span_of(sentences));
          return work(references, candidates, rule, threads, stop);
        }));
      },
      nb::arg("references"), nb::arg("texts"), nb::arg("sentences").noconvert(),
      nb::arg("reference_length"), nb::arg("threads"), "Statistics, row by row.");
  m.def((name + "_of_ids").c_str(),
        [work](const ReferenceSet& references, ArrayArgument<int64_t> offsets,
               ArrayArgument<WordId> words, ArrayArgument<int64_t> sentences,
               std::string_view reference_length, int threads) {
          const CsrView<WordId> view{span_of(offsets), span_of(words)};
          const ReferenceLength rule = reference_length_named(reference_length);
          return own_array(run(words.size(), [&](const StopFlag& stop) {
            const Candidates candidates(references, view, span_of(sentences));
            return work(references, candidates, rule, threads, stop);
          }));
        },
        nb::arg("references"), nb::arg("offsets").noconvert(), nb::arg("words").noconvert(),
        nb::arg("sentences").noconvert(), nb::arg("reference_length"), nb::arg("threads"),
        "The same for candidates given as ids of the references.");
  m.def((name + "_of_words").c_str(),
        [work](const ReferenceSet& references, const Texts& words, ArrayArgument<int64_t> offsets,
               ArrayArgument<WordId> ids, ArrayArgument<int64_t> sentences,
               std::string_view reference_length, int threads) {
          const Lines known = lines_of(words);
          const ReferenceLength rule = reference_length_named(reference_length);
          return own_array(run(ids.size(), [&](const StopFlag& stop) {
            const Lines lines = joined(known, {span_of(offsets), span_of(ids)});
            const Candidates candidates(references, lines, span_of(sentences));
            return work(references, candidates, rule, threads, stop);
          }));
        },
        nb::arg("references"), nb::arg("words"), nb::arg("offsets").noconvert(),
        nb::arg("ids").noconvert(), nb::arg("sentences").noconvert(), nb::arg("reference_length"),
        nb::arg("threads"), "The same for candidates whose words are indices into `words`.");
}

void bind_bleu_and_ter(nb::module_& m) {
  bind_rows(m, "bleu_rows",
            [](const ReferenceSet& references, const Candidates& candidates, ReferenceLength rule,
               int threads, const StopFlag& stop) {
              return bleu_rows(references, rule, candidates, threads, stop);
            });
  // TER always uses the average length.
  bind_rows(
      m, "ter_rows",
      [](const ReferenceSet& references, const Candidates& candidates, ReferenceLength, int threads,
         const StopFlag& stop) { return ter_rows(references, candidates, threads, stop); });
  m.def(
      "ter_kept",
      [](const ReferenceSet& references, const Texts& texts, ArrayArgument<int64_t> sentences) {
        const Lines lines = lines_of(texts);
        const std::vector<char> kept = run(lines.bytes.size(), [&](const StopFlag& stop) {
          return ter_kept(references, Candidates(references, lines, span_of(sentences)), stop);
        });
        return own_array(std::vector<uint8_t>(kept.begin(), kept.end()));
      },
      nb::arg("references"), nb::arg("texts"), nb::arg("sentences").noconvert(),
      "1 for every word of every text that the fewest edits keep, else 0.");
}

void bind_chrf(nb::module_& m) {
  nb::class_<ChrfReferences>(m, "ChrfReferences", "References as characters; immutable.")
      .def(
          "__init__",
          [](ChrfReferences* self, const Texts& texts, ArrayArgument<int64_t> first,
             int32_t char_order, int32_t word_order, int32_t beta) {
            const Lines lines = lines_of(texts);
            const ChrfOptions options{char_order, word_order, beta};
            run(lines.bytes.size(), [&](const StopFlag& stop) {
              new (self) ChrfReferences(lines, vector_of(first), options, stop);
            });
          },
          nb::arg("texts"), nb::arg("first").noconvert(), nb::arg("char_order"),
          nb::arg("word_order"), nb::arg("beta"))
      .def_prop_ro("columns", &ChrfReferences::columns)
      .def(
          "rows",
          [](const ChrfReferences& self, const Texts& texts, ArrayArgument<int64_t> sentences,
             int threads) {
            const Lines lines = lines_of(texts);
            return own_array(run(lines.bytes.size(), [&](const StopFlag& stop) {
              return self.rows(lines, span_of(sentences), threads, stop);
            }));
          },
          nb::arg("texts"), nb::arg("sentences").noconvert(), nb::arg("threads"),
          "Statistics, row by row.")
      .def(
          "rows_of_words",
          [](const ChrfReferences& self, const Texts& words, ArrayArgument<int64_t> offsets,
             ArrayArgument<WordId> ids, ArrayArgument<int64_t> sentences, int threads) {
            const Lines known = lines_of(words);
            return own_array(run(ids.size(), [&](const StopFlag& stop) {
              const Lines lines = joined(known, {span_of(offsets), span_of(ids)});
              return self.rows(lines, span_of(sentences), threads, stop);
            }));
          },
          nb::arg("words"), nb::arg("offsets").noconvert(), nb::arg("ids").noconvert(),
          nb::arg("sentences").noconvert(), nb::arg("threads"),
          "The same for candidates whose words are indices into `words`.");
}

}  // namespace

void bind_metrics(nb::module_& m) {
  bind_references(m);
  bind_bleu_and_ter(m);
  bind_chrf(m);

  m.def(
      "bootstrap_sums",
      [](ArrayArgument<int64_t> values, int64_t columns, int64_t runs, int64_t samples,
         uint64_t seed, int threads) {
        return own_array(interruptible([&](const StopFlag& stop, Progress&) {
          return bootstrap_sums({span_of(values), columns, runs}, samples, seed, threads, stop);
        }));
      },
      nb::arg("values").noconvert(), nb::arg("columns"), nb::arg("runs"), nb::arg("samples"),
      nb::arg("seed"), nb::arg("threads"), "Sums over sentences drawn with replacement.");
  m.def(
      "shuffle_sums",
      [](ArrayArgument<int64_t> values, int64_t columns, int64_t runs, int64_t picked,
         int64_t samples, uint64_t seed, int threads) {
        return own_array(interruptible([&](const StopFlag& stop, Progress&) {
          return shuffle_sums({span_of(values), columns, runs}, picked, samples, seed, threads,
                              stop);
        }));
      },
      nb::arg("values").noconvert(), nb::arg("columns"), nb::arg("runs"), nb::arg("picked"),
      nb::arg("samples"), nb::arg("seed"), nb::arg("threads"),
      "Sums of `picked` runs drawn per sentence.");
}

}  // namespace demotic::python
