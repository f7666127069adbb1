#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>

#include "arrays.h"
#include "demotic/rules/bitext_index.h"
#include "demotic/rules/extract_rules.h"
#include "demotic/rules/map_rules.h"
#include "demotic/rules/operations.h"
#include "demotic/rules/rule_store.h"
#include "interruptible.h"
#include "options.h"

namespace nb = nanobind;

namespace demotic::python {
using namespace all;
namespace {

void bind_options(nb::module_& m) {
  nb::enum_<RuleKind>(m, "RuleKind")
      .value("phrase", RuleKind::kPhrase)
      .value("hiero", RuleKind::kHiero);
  nb::enum_<ReorderingModel>(m, "ReorderingModel")
      .value("none", ReorderingModel::kNone)
      .value("backward", ReorderingModel::kBackward)
      .value("bidirectional", ReorderingModel::kBidirectional);
  nb::enum_<Smoothing>(m, "Smoothing")
      .value("none", Smoothing::kNone)
      .value("good_turing", Smoothing::kGoodTuring)
      .value("kneser_ney", Smoothing::kKneserNey);

  nb::enum_<OrientationModel>(m, "OrientationModel")
      .value("word", OrientationModel::kWord)
      .value("hierarchical", OrientationModel::kHierarchical);

  bind_struct<HieroExtractOptions>(
      m, "HieroExtractOptions", std::pair{"max_initial", &HieroExtractOptions::max_initial},
      std::pair{"max_source_symbols", &HieroExtractOptions::max_source_symbols},
      std::pair{"max_gaps", &HieroExtractOptions::max_gaps},
      std::pair{"min_gap", &HieroExtractOptions::min_gap},
      std::pair{"tight", &HieroExtractOptions::tight},
      std::pair{"adjacent_gaps", &HieroExtractOptions::adjacent_gaps},
      std::pair{"require_link", &HieroExtractOptions::require_link},
      std::pair{"share_count", &HieroExtractOptions::share_count},
      std::pair{"min_gapped_count", &HieroExtractOptions::min_gapped_count});

  bind_struct<ExtractOptions>(
      m, "ExtractOptions", std::pair{"kind", &ExtractOptions::kind},
      std::pair{"max_phrase", &ExtractOptions::max_phrase},
      std::pair{"tight", &ExtractOptions::tight}, std::pair{"hiero", &ExtractOptions::hiero},
      std::pair{"reordering", &ExtractOptions::reordering},
      std::pair{"orientation", &ExtractOptions::orientation},
      std::pair{"reordering_smoothing", &ExtractOptions::reordering_smoothing},
      std::pair{"extra_scores", &ExtractOptions::extra_scores},
      std::pair{"min_count", &ExtractOptions::min_count},
      std::pair{"significance", &ExtractOptions::significance},
      std::pair{"keep_word_pairs", &ExtractOptions::keep_word_pairs},
      std::pair{"smoothing", &ExtractOptions::smoothing},
      std::pair{"distortion_sentences", &ExtractOptions::distortion_sentences},
      std::pair{"memory", &ExtractOptions::memory}, std::pair{"threads", &ExtractOptions::threads});

  nb::class_<ExtractReport>(m, "ExtractReport")
      .def_ro("sentences", &ExtractReport::sentences)
      .def_ro("too_long", &ExtractReport::too_long)
      .def_ro("occurrences", &ExtractReport::occurrences)
      .def_ro("rules", &ExtractReport::rules)
      .def_ro("removed", &ExtractReport::removed)
      .def_ro("distortion", &ExtractReport::distortion);
}

void bind_distortion(nb::module_& m) {
  m.attr("MAX_GAP_SIZE") = kMaxGapSize;
  const auto row = [](const DistortionCounts::Row& counts) {
    return std::vector<int64_t>(counts.begin() + 1, counts.end());
  };
  nb::class_<DistortionCounts>(
      m, "DistortionCounts",
      "How often gaps were in order or reordered, by source words: 1, 2, ... MAX_GAP_SIZE or more.")
      .def(
          "__init__",
          [](DistortionCounts* self, const std::vector<int64_t>& in_order,
             const std::vector<int64_t>& reordered) {
            if (in_order.size() != kMaxGapSize || reordered.size() != kMaxGapSize)
              throw std::invalid_argument("expected one count per size of a gap");
            new (self) DistortionCounts;
            std::ranges::copy(in_order, self->counts[false].begin() + 1);
            std::ranges::copy(reordered, self->counts[true].begin() + 1);
          },
          nb::arg("in_order"), nb::arg("reordered"))
      .def_prop_ro("in_order",
                   [row](const DistortionCounts& self) { return row(self.counts[false]); })
      .def_prop_ro("reordered",
                   [row](const DistortionCounts& self) { return row(self.counts[true]); });
}

template <typename T>
nb::list to_list(std::span<const T> values) {
  nb::list result;
  for (const T value : values) result.append(value);
  return result;
}

nb::list link_list(std::span<const RuleLink> links) {
  nb::list result;
  for (const RuleLink link : links) result.append(nb::make_tuple(link.source, link.target));
  return result;
}

void bind_store(nb::module_& m) {
  nb::class_<RuleStore>(m, "RuleStore", "All rules of a model; immutable.")
      .def_static(
          "open",
          [](const std::string& path, bool verify) {
            return interruptible([&](const StopFlag& stop, Progress&) {
              return RuleStore::open(path, verify, stop);
            });
          },
          nb::arg("path"), nb::arg("verify"))
      .def_static(
          "open_with",
          [](const std::string& path, const std::vector<std::string>& added, bool verify) {
            return interruptible([&](const StopFlag& stop, Progress&) {
              return RuleStore::open(path, verify, stop, added);
            });
          },
          nb::arg("path"), nb::arg("added"), nb::arg("verify"),
          "An indexed bitext with others that were added to it.")
      .def_prop_ro("on_demand", &RuleStore::on_demand,
                   "Whether rules are extracted from an indexed bitext when they are needed.")
      .def_prop_ro("pairs", &RuleStore::pairs, "Sentence pairs of an indexed bitext, else 0.")
      .def(
          "prepare",
          [](const RuleStore& self, const Corpus& sentences, int32_t span_limit, int threads) {
            interruptible([&](const StopFlag& stop, Progress&) {
              std::vector<std::span<const WordId>> words;
              for (int64_t i = 0; i < sentences.size(); ++i) words.push_back(sentences[i]);
              self.prepare(words, span_limit, threads, stop);
            });
          },
          nb::arg("sentences"), nb::arg("span_limit"), nb::arg("threads"),
          "Extracts and scores the rules of these sentences that cover at most `span_limit` words "
          "(0 for no limit), if on demand.")
      .def("first_words", &RuleStore::first_words,
           "The words with which source sides begin, ascending.")
      .def("__len__", &RuleStore::size)
      .def_prop_ro("nodes", &RuleStore::nodes)
      .def_prop_ro("score_names", &RuleStore::score_names)
      .def_prop_ro("labels", &RuleStore::labels)
      .def_prop_ro("size_bytes", &RuleStore::size_bytes)
      .def("child", &RuleStore::child, nb::arg("node"), nb::arg("symbol"))
      .def(
          "children",
          [](const RuleStore& self, TrieNode node) {
            if (self.on_demand())
              throw std::invalid_argument("rules on demand have no lists of children");
            nb::typed<nb::list, nb::int_> symbols;
            for (const StoredNode& child : self.children(node)) symbols.append(child.symbol);
            return symbols;
          },
          nb::arg("node"), "The symbols on the edges below a node of the trie.")
      .def(
          "rules",
          [](const RuleStore& self, TrieNode node) {
            const RuleRange range = self.rules(node);
            return std::make_tuple(range.begin, range.end);
          },
          nb::arg("node"), "The first rule of a node and the end of its rules.")
      .def("source_count", &RuleStore::source_count, nb::arg("node"))
      .def(
          "target",
          [](const RuleStore& self, RuleId rule) {
            std::vector<Symbol> symbols;
            self.target(rule, symbols);
            return to_list(std::span<const Symbol>(symbols));
          },
          nb::arg("rule"), nb::sig("def target(self, rule: int) -> list[int]"))
      .def("target_count", &RuleStore::target_count, nb::arg("rule"))
      .def(
          "links", [](const RuleStore& self, RuleId rule) { return link_list(self.links(rule)); },
          nb::arg("rule"), nb::sig("def links(self, rule: int) -> list[tuple[int, int]]"))
      .def(
          "scores", [](const RuleStore& self, RuleId rule) { return to_list(self.scores(rule)); },
          nb::arg("rule"), nb::sig("def scores(self, rule: int) -> list[float]"))
      .def(
          "reordered_gaps",
          [](const RuleStore& self, RuleId rule) {
            const uint8_t bits = self.reordered_gaps(rule);
            nb::typed<nb::list, bool> gaps;
            for (const Symbol symbol : self.target(rule))
              if (is_gap(symbol)) gaps.append((bits >> nb::len(gaps) & 1) != 0);
            return gaps;
          },
          nb::arg("rule"), "Whether each gap, in source order, crosses a link or another gap.")
      .def("lhs", &RuleStore::lhs, nb::arg("rule"))
      .def("occurrences", &RuleStore::occurrences, nb::arg("rule"))
      .def("count", &RuleStore::count, nb::arg("rule"))
      .def(
          "last_sentence",
          [](const RuleStore& self) {
            int32_t last = -1;
            for (RuleId rule = 0; rule < self.size(); ++rule)
              last = std::max(last, self.only_sentence(rule));
            return last;
          },
          nb::call_guard<nb::gil_scoped_release>(),
          "The last sentence pair that is the only one with some rule; -1 if none is known.")
      .def(
          "only_sentence", &RuleStore::only_sentence, nb::arg("rule"),
          "The sentence pair that a rule was extracted from, if it is the only one; otherwise -1.");
}

void bind_index(nb::module_& m) {
  bind_struct<SampleOptions>(m, "SampleOptions", std::pair{"sample", &SampleOptions::sample},
                             std::pair{"seed", &SampleOptions::seed},
                             std::pair{"counted_pairs", &SampleOptions::counted_pairs});
  m.def(
      "write_bitext_index",
      [](const Corpus& source, const Corpus& target, const std::vector<const Alignments*>& links,
         const std::string& path, const ExtractOptions& options, const SampleOptions& sampling,
         const ProgressCallback& progress) {
        return interruptible(
            [&](const StopFlag& stop, Progress& counter) {
              const AlignedBitext bitext{source, target, links};
              check_bitext(bitext, "links");
              return write_bitext_index(bitext, path, options, sampling, stop, counter);
            },
            progress);
      },
      nb::arg("source"), nb::arg("target"), nb::arg("links"), nb::arg("path"), nb::arg("options"),
      nb::arg("sampling"), nb::arg("progress").none(),
      "Writes an indexed bitext, from which rules are extracted on demand.");
}

}  // namespace

void bind_rules(nb::module_& m) {
  m.def(
      "map_rules",
      [](const RuleStore& from, const RuleStore& to) {
        std::vector<RuleId> same;
        {
          nb::gil_scoped_release release;
          same = map_rules(from, to);
        }
        return own_array(std::move(same));
      },
      nb::arg("from_"), nb::arg("to"),
      "The rule of the second store that equals each rule of the first; 2**32 - 1 if none does.");
  bind_distortion(m);
  bind_options(m);
  bind_store(m);

  nb::class_<LexicalTable>(m, "LexicalTable", "Word translation probabilities over links.")
      .def(nb::init<double>(), nb::arg("missing"))
      .def("set_target_given_source", &LexicalTable::set_target_given_source, nb::arg("source"),
           nb::arg("target"), nb::arg("w"))
      .def("set_source_given_target", &LexicalTable::set_source_given_target, nb::arg("source"),
           nb::arg("target"), nb::arg("w"))
      .def("target_given_source", &LexicalTable::target_given_source, nb::arg("source"),
           nb::arg("target"))
      .def("source_given_target", &LexicalTable::source_given_target, nb::arg("source"),
           nb::arg("target"))
      .def(
          "entries",
          [](const LexicalTable& self) {
            std::vector<std::tuple<WordId, WordId, double, double>> entries;
            self.for_each([&](WordId source, WordId target, double tgs, double sgt) {
              entries.emplace_back(source, target, tgs, sgt);
            });
            std::sort(entries.begin(), entries.end());
            return entries;
          },
          "(source, target, w(t|s), w(s|t)) for every linked pair; id 0 stands for NULL.");

  m.def(
      "count_lexicon",
      [](const Corpus& source, const Corpus& target, const std::vector<const Alignments*>& links) {
        return interruptible([&](const StopFlag& stop, Progress&) {
          const AlignedBitext bitext{source, target, links};
          check_bitext(bitext, "links");
          return LexicalTable::count(bitext, stop);
        });
      },
      nb::arg("source"), nb::arg("target"), nb::arg("links"));
  m.def(
      "operation_text",
      [](const Corpus& source, const Corpus& target, const Alignments& links,
         const Vocabulary& vocabulary) {
        OperationText text = interruptible([&](const StopFlag& stop, Progress&) {
          const AlignedBitext bitext{source, target, links};
          check_bitext(bitext, "links");
          return operation_text(bitext, vocabulary, stop);
        });
        return std::pair(std::move(text.operations), std::move(text.vocabulary));
      },
      nb::arg("source"), nb::arg("target"), nb::arg("links"), nb::arg("vocabulary"),
      "The operations that generate each pair, as a corpus, and their names.");
  const auto bind_builder = [&](const char* name, auto function) {
    m.def(
        name,
        [function](const Corpus& source, const Corpus& target,
                   const std::vector<const Alignments*>& links, const LexicalTable& lexicon,
                   const std::string& path, const ExtractOptions& options,
                   const ProgressCallback& progress) {
          return interruptible(
              [&](const StopFlag& stop, Progress& counter) {
                const AlignedBitext bitext{source, target, links};
                check_bitext(bitext, "links");
                return function(bitext, lexicon, path, options, stop, counter);
              },
              progress);
        },
        nb::arg("source"), nb::arg("target"), nb::arg("links"), nb::arg("lexicon"), nb::arg("path"),
        nb::arg("options"), nb::arg("progress").none());
  };
  bind_builder("extract_rules", extract_rules);
  bind_builder("score_pairs", score_pairs);

  bind_index(m);
  m.def(
      "match_phrases",
      [](const RuleStore& store, nb::ndarray<const WordId, nb::ndim<1>, nb::c_contig> words) {
        std::vector<RuleMatch> matches;
        store.match({words.data(), words.size()}, matches);
        std::vector<std::tuple<int32_t, int32_t, RuleId, RuleId>> result;
        for (const RuleMatch& match : matches)
          result.emplace_back(match.begin, match.end, match.rules.begin, match.rules.end);
        return result;
      },
      nb::arg("store"), nb::arg("words").noconvert(),
      "(begin, end, first rule, end of rules) for every span of a sentence that has rules.");
}

}  // namespace demotic::python
