#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>

#include <algorithm>

#include "arrays.h"
#include "demotic/text/corpus.h"
#include "demotic/text/suffix_array.h"
#include "demotic/text/vocabulary.h"
#include "interruptible.h"

namespace nb = nanobind;

namespace demotic::python {
using namespace all;
namespace {

nb::str to_str(std::string_view text) { return nb::str(text.data(), text.size()); }

void bind_vocabulary(nb::module_& m) {
  m.attr("UNKNOWN") = kUnknown;
  m.attr("SENTENCE_BEGIN") = kSentenceBegin;
  m.attr("SENTENCE_END") = kSentenceEnd;
  m.attr("RESERVED_WORDS") = kReservedWords;
  m.attr("MAX_WORD_BYTES") = kMaxWordBytes;

  nb::class_<Vocabulary>(m, "Vocabulary", "Words and their ids; immutable.")
      .def_static(
          "open",
          [](const std::string& path, bool verify) {
            return interruptible([&](const StopFlag& stop, Progress&) {
              return Vocabulary::open(path, verify, stop);
            });
          },
          nb::arg("path"), nb::arg("verify"))
      .def("save", &Vocabulary::save, nb::arg("path"), nb::call_guard<nb::gil_scoped_release>())
      .def("__len__", &Vocabulary::size)
      .def(
          "__contains__",
          [](const Vocabulary& self, std::string_view word) { return self.find(word) != kUnknown; },
          nb::arg("word"))
      .def("find", &Vocabulary::find, nb::arg("word"), "The word's id, or UNKNOWN.")
      .def(
          "word", [](const Vocabulary& self, WordId id) { return to_str(self.word(id)); },
          nb::arg("id"))
      .def(
          "words",
          [](const Vocabulary& self) {
            nb::typed<nb::list, nb::str> result;
            for (WordId id = 0; id < self.size(); ++id) result.append(to_str(self.word(id)));
            return result;
          },
          "All words in the order of their ids.")
      .def(
          "map",
          [](const Vocabulary& self, const Vocabulary& other) {
            return own_array(self.map(other));
          },
          nb::arg("other"), "The id in this vocabulary of each word of another.")
      .def("__repr__", [](const Vocabulary& self) {
        return "Vocabulary(" + std::to_string(self.size()) + " words)";
      });

  nb::class_<VocabularyBuilder>(m, "VocabularyBuilder",
                                "Collects words; ids in order of appearance.")
      .def(nb::init<>())
      .def("add", &VocabularyBuilder::add, nb::arg("word"))
      .def("__len__", &VocabularyBuilder::size)
      .def("finish", &VocabularyBuilder::finish);
}

}  // namespace

void bind_corpus(nb::module_& m) {
  bind_vocabulary(m);

  nb::class_<Corpus>(m, "Corpus", "Sentences as word ids in flat arrays; immutable.")
      .def(
          "__init__",
          [](Corpus* self, ArrayArgument<int64_t> offsets, ArrayArgument<WordId> words) {
            Csr<WordId> sentences;
            sentences.offsets.assign(offsets.data(), offsets.data() + offsets.size());
            sentences.values.assign(words.data(), words.data() + words.size());
            new (self) Corpus(std::move(sentences));
          },
          nb::arg("offsets").noconvert(), nb::arg("words").noconvert(), "Copies the arrays.")
      .def_static(
          "open",
          [](const std::string& path, bool verify) {
            return interruptible(
                [&](const StopFlag& stop, Progress&) { return Corpus::open(path, verify, stop); });
          },
          nb::arg("path"), nb::arg("verify"))
      .def("save", &Corpus::save, nb::arg("path"), nb::call_guard<nb::gil_scoped_release>())
      .def("__len__", &Corpus::size)
      .def_prop_ro(
          "offsets",
          [](nb::handle self) { return view_array(nb::cast<const Corpus&>(self).offsets(), self); },
          "Offset of each sentence in `words`, plus one at the end.")
      .def_prop_ro(
          "words",
          [](nb::handle self) { return view_array(nb::cast<const Corpus&>(self).words(), self); })
      .def(
          "counts",
          [](const Corpus& self, WordId words) { return own_array(count_words(self, words)); },
          nb::arg("words"), "The number of occurrences of each id below `words`.");

  nb::class_<CorpusBuilder>(m, "CorpusBuilder", "Encodes lines while the vocabulary grows.")
      .def(nb::init<VocabularyBuilder&>(), nb::arg("vocabulary"), nb::keep_alive<1, 2>())
      .def(
          "add",
          [](CorpusBuilder& self, const Lines& lines) {
            interruptible([&](const StopFlag& stop, Progress&) { self.add(lines, stop); });
          },
          nb::arg("lines"))
      .def_prop_ro("capped_tokens", &CorpusBuilder::capped_tokens)
      .def("finish", &CorpusBuilder::finish);

  m.def(
      "encode",
      [](const Vocabulary& vocabulary, const Lines& lines, int threads) {
        return interruptible([&](const StopFlag& stop, Progress&) {
          return encode(vocabulary, lines, threads, stop);
        });
      },
      nb::arg("vocabulary"), nb::arg("lines"), nb::arg("threads"));
  m.def(
      "decode",
      [](const Vocabulary& vocabulary, const Corpus& corpus) {
        return interruptible(
            [&](const StopFlag& stop, Progress&) { return decode(vocabulary, corpus, stop); });
      },
      nb::arg("vocabulary"), nb::arg("corpus"));
  m.def(
      "suffix_array",
      [](const ArrayArgument<WordId>& text, WordId words) {
        return own_array(interruptible([&](const StopFlag& stop, Progress&) {
          const auto span = span_of(text);
          if (std::ranges::any_of(span, [&](WordId w) { return w < 0 || w >= words; }))
            throw std::invalid_argument("a word that is not below the number of words");
          return suffix_array(span, words, stop);
        }));
      },
      nb::arg("text").noconvert(), nb::arg("words"),
      "The positions of all suffixes of a text of words in lexicographic order.");
}

}  // namespace demotic::python
