// Queries: the model, its states, whole texts.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "arrays.h"
#include "demotic/lm/arpa.h"
#include "demotic/lm/chart_state.h"
#include "demotic/lm/language_model.h"
#include "demotic/lm/score_corpus.h"
#include "interruptible.h"

namespace nb = nanobind;

namespace demotic::python {
using namespace all;
namespace {

WordId checked(const LanguageModel& model, WordId word) {
  if (word < 0 || word >= model.vocabulary().size())
    throw std::out_of_range("the word id is not in the model's vocabulary");
  return word;
}

LmState checked(const LanguageModel& model, LmState state) {
  if (!model.has(state)) throw std::out_of_range("the state belongs to another model");
  return state;
}

double sentence_score(const LanguageModel& model, std::string_view sentence, bool begin, bool end) {
  const auto space = [&](size_t i) { return static_cast<unsigned char>(sentence[i]) <= ' '; };
  LmState state = begin ? model.begin_state() : model.empty_state();
  double sum = 0;
  for (size_t at = 0, stop = 0; at < sentence.size(); at = stop) {
    while (at < sentence.size() && space(at)) ++at;
    for (stop = at; stop < sentence.size() && !space(stop);) ++stop;
    if (stop > at) sum += model.score(state, model.find(sentence.substr(at, stop - at)), state);
  }
  return end ? sum + model.score(state, kSentenceEnd, state) : sum;
}

std::vector<float> word_scores(const LanguageModel& model, const nb::list& words, bool begin,
                               bool end) {
  std::vector<float> scores;
  LmState state = begin ? model.begin_state() : model.empty_state();
  for (const nb::handle word : words) {
    const WordId id = model.find(nb::cast<std::string_view>(word));
    scores.push_back(model.score(state, id, state));
  }
  if (end) scores.push_back(model.score(state, kSentenceEnd, state));
  return scores;
}

// A state is never equal to an object of another type.
template <typename State>
bool equal(const State& self, nb::handle other) {
  return nb::isinstance<State>(other) && self == nb::cast<const State&>(other);
}

void bind_model(nb::module_& m) {
  nb::class_<LmState>(m, "LmState",
                      "The part of a context that matters; equal states have equal futures.")
      .def(
          "__eq__", [](LmState self, nb::handle other) { return equal(self, other); },
          nb::arg("other").none())
      .def("__hash__", [](LmState self) { return self.node; })
      .def_ro("node", &LmState::node);

  nb::class_<LanguageModel>(m, "LanguageModel", "A back-off model for queries; immutable.")
      .def_static(
          "build",
          [](const NgramModel& ngrams, bool quantized) {
            return interruptible([&](const StopFlag& stop, Progress&) {
              return LanguageModel::build(ngrams, stop, quantized);
            });
          },
          nb::arg("ngrams"), nb::arg("quantized"))
      .def_static(
          "open",
          [](const std::string& path, bool verify) {
            return interruptible([&](const StopFlag& stop, Progress&) {
              return LanguageModel::open(path, verify, stop);
            });
          },
          nb::arg("path"), nb::arg("verify"))
      .def("save", &LanguageModel::save, nb::arg("path"), nb::call_guard<nb::gil_scoped_release>())
      .def("ngrams",
           [](const LanguageModel& self) {
             return interruptible(
                 [&](const StopFlag& stop, Progress&) { return self.ngrams(stop); });
           })
      .def_prop_ro("order", &LanguageModel::order)
      .def_prop_ro("counts",
                   [](const LanguageModel& self) {
                     return std::vector<uint64_t>(self.counts().begin(), self.counts().end());
                   })
      .def_prop_ro("vocabulary", &LanguageModel::vocabulary)
      .def(
          "with_classes",
          [](const LanguageModel& self, const Vocabulary& words, ArrayArgument<WordId> classes) {
            return self.with_classes(words, {classes.data(), classes.data() + classes.size()});
          },
          nb::arg("words"), nb::arg("classes").noconvert(),
          "The same model of classes as a model of words, given the class of each word.")
      .def_prop_ro("has_classes", &LanguageModel::has_classes)
      .def_prop_ro(
          "classes",
          [](nb::handle self) {
            return view_array(nb::cast<const LanguageModel&>(self).classes(), self);
          },
          "The class of each of `words`; empty for a model of words.")
      .def_prop_ro("words", &LanguageModel::words,
                   "The words that the model knows; the vocabulary unless it has classes.")
      .def_prop_ro("size_bytes", &LanguageModel::size_bytes)
      .def_prop_ro("quantized", &LanguageModel::quantized)
      .def(
          "map",
          [](const LanguageModel& self, const Vocabulary& other) {
            return own_array(self.map(other));
          },
          nb::arg("other"), "The model's id of each word of another vocabulary.")
      .def_prop_ro("empty_state", &LanguageModel::empty_state)
      .def_prop_ro("begin_state", &LanguageModel::begin_state)
      .def(
          "length",
          [](const LanguageModel& self, LmState state) {
            return self.length(checked(self, state));
          },
          nb::arg("state"), "Number of words in the state's context.")
      .def(
          "score",
          [](const LanguageModel& self, LmState from, WordId word) {
            LmState to;
            const float score = self.score(checked(self, from), checked(self, word), to);
            return std::pair(score, to);
          },
          nb::arg("state"), nb::arg("word"), "ln p(word | state) and the state after it.")
      .def(
          "step",
          [](const LanguageModel& self, LmState from, std::string_view word) {
            LmState to;
            const WordId id = self.id_of(find_arpa_word(self.words(), word));
            const float score = self.score(checked(self, from), id, to);
            return std::pair(score, to);
          },
          nb::arg("state"), nb::arg("word"),
          "The same for a word spelled as in an ARPA file, where <s> and </s> are the markers.")
      .def(
          "sentence_score",
          [](const LanguageModel& self, std::string_view sentence, bool begin, bool end) {
            return sentence_score(self, sentence, begin, end);
          },
          nb::arg("sentence"), nb::arg("begin"), nb::arg("end"),
          "ln p of words separated by spaces, with </s> if `end`.")
      .def(
          "word_scores",
          [](const LanguageModel& self, const nb::typed<nb::list, nb::str>& words, bool begin,
             bool end) { return word_scores(self, words, begin, end); },
          nb::arg("words"), nb::arg("begin"), nb::arg("end"),
          "ln p of each word of a sentence, and of </s> if `end`.")
      .def(
          "match",
          [](const LanguageModel& self, LmState from, WordId word) {
            const LmMatch match = self.match(checked(self, from), checked(self, word));
            return std::tuple(match.log10, match.next, match.length, match.extends_left);
          },
          nb::arg("state"), nb::arg("word"),
          "log10 p(word | state), the state after it, the length of the matched n-gram, and "
          "whether some n-gram extends it to the left.");
}

// A position in a text that advances with each query, creating no Python object but the score.
struct LmCursor {
  const LanguageModel& model;
  LmState state;

  void begin() noexcept { state = model.begin_state(); }
  float score(std::string_view word) {
    return model.score(state, model.id_of(find_arpa_word(model.words(), word)), state);
  }
};

void bind_cursor(nb::module_& m) {
  nb::class_<LmCursor>(m, "LmCursor", "Scores a text word by word; advances with every score.")
      .def(
          "__init__",
          [](LmCursor* self, const LanguageModel& model, LmState state) {
            new (self) LmCursor{model, checked(model, state)};
          },
          nb::arg("model"), nb::arg("state"), nb::keep_alive<1, 2>())
      // A call without named arguments is the fastest.
      .def("score", &LmCursor::score, nb::sig("def score(self, word: str, /) -> float"),
           "ln p(word | words so far), and advances; `word` is spelled as in an ARPA file.")
      .def("begin", &LmCursor::begin, "Returns to the beginning of a sentence.")
      .def_prop_rw(
          "state", [](const LmCursor& self) { return self.state; },
          [](LmCursor& self, LmState state) { self.state = checked(self.model, state); },
          "The current state; can be set.");
}

void bind_corpus_scores(nb::module_& m) {
  m.def(
      "score_corpus",
      [](const LanguageModel& model, const Corpus& corpus,
         nb::ndarray<const WordId, nb::ndim<1>, nb::c_contig, nb::device::cpu> words, bool begin,
         bool end, bool tokens, int threads, const ProgressCallback& progress) {
        const std::span<const WordId> map(words.data(), words.size());
        CorpusScores scores = interruptible(
            [&](const StopFlag& stop, Progress& p) {
              return score_corpus(model, corpus, map, {begin, end, tokens, threads}, stop, p);
            },
            progress);
        return std::tuple(own_array(std::move(scores.log10)), own_array(std::move(scores.unknown)),
                          own_array(std::move(scores.tokens)));
      },
      nb::arg("model"), nb::arg("corpus"), nb::arg("words").noconvert(), nb::arg("begin"),
      nb::arg("end"), nb::arg("tokens"), nb::arg("threads"), nb::arg("progress").none(),
      "log10 and unknown words per sentence, and log10 per token if requested.");
}

void bind_chart(nb::module_& m) {
  nb::class_<ChartState>(m, "ChartState", "The state of a phrase with open context on both sides.")
      .def(
          "__eq__", [](const ChartState& self, nb::handle other) { return equal(self, other); },
          nb::arg("other").none())
      .def("__hash__", [](const ChartState& self) { return self.hash() >> 1; })
      .def_prop_ro("left",
                   [](const ChartState& self) {
                     std::vector<WordId> words;
                     for (int32_t i = 0; i < self.length; ++i) words.push_back(self.at(i).word);
                     return words;
                   })
      .def_ro("right", &ChartState::right)
      .def_ro("full", &ChartState::full);

  nb::class_<ChartScorer>(m, "ChartScorer", "Scores the symbols of a rule from left to right.")
      .def(nb::init<const LanguageModel&>(), nb::arg("model"), nb::keep_alive<1, 2>())
      .def("start", &ChartScorer::start)
      .def(
          "terminal",
          [](ChartScorer& self, WordId word) { self.terminal(checked(self.model(), word)); },
          nb::arg("word"))
      .def("nonterminal", &ChartScorer::nonterminal<ChartState>, nb::arg("state"), nb::arg("score"))
      .def("finish", [](const ChartScorer& self) {
        ChartState state;
        const float score = self.finish(state);
        return std::pair(score, state);
      });
}

}  // namespace

void bind_lm_query(nb::module_& m) {
  bind_model(m);
  bind_cursor(m);
  bind_corpus_scores(m);
  bind_chart(m);
}

}  // namespace demotic::python
