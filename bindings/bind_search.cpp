#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "arrays.h"
#include "demotic/search/candidates.h"
#include "interruptible.h"
#include "options.h"
#include "queued_jobs.h"
#include "sentence_part.h"

namespace nb = nanobind;

namespace demotic::python {
using namespace all;
namespace {

using WeightArray = ArrayArgument<double>;

void bind_options(nb::module_& m) {
  bind_struct<PhraseSearchOptions>(
      m, "PhraseSearchOptions", std::pair{"beam_size", &PhraseSearchOptions::beam_size},
      std::pair{"pop_limit", &PhraseSearchOptions::pop_limit},
      std::pair{"cube_pruning", &PhraseSearchOptions::cube_pruning},
      std::pair{"beam_threshold", &PhraseSearchOptions::beam_threshold},
      std::pair{"future_cost", &PhraseSearchOptions::future_cost},
      std::pair{"distortion_limit", &PhraseSearchOptions::distortion_limit},
      std::pair{"gap_test", &PhraseSearchOptions::gap_test},
      std::pair{"rule_limit", &PhraseSearchOptions::rule_limit},
      std::pair{"early_distortion", &PhraseSearchOptions::early_distortion},
      std::pair{"drop_unknown", &PhraseSearchOptions::drop_unknown});
  bind_struct<HieroSearchOptions>(m, "HieroSearchOptions",
                                  std::pair{"beam_size", &HieroSearchOptions::beam_size},
                                  std::pair{"pop_limit", &HieroSearchOptions::pop_limit},
                                  std::pair{"cube_pruning", &HieroSearchOptions::cube_pruning},
                                  std::pair{"beam_threshold", &HieroSearchOptions::beam_threshold},
                                  std::pair{"span_limit", &HieroSearchOptions::span_limit},
                                  std::pair{"rule_limit", &HieroSearchOptions::rule_limit});
  nb::enum_<RecordKind>(m, "RecordKind")
      .value("forest", RecordKind::kForest)
      .value("bins", RecordKind::kBins);
}

void bind_dense_features(nb::module_& m) {
  nb::class_<DenseFeature>(m, "DenseFeature", "The declaration of a dense feature.")
      .def_prop_ro("name", [](const DenseFeature& self) { return std::string(self.name); })
      .def_prop_ro("phrase",
                   [](const DenseFeature& self) { return (self.kinds & self.kPhrase) != 0; })
      .def_prop_ro("hiero",
                   [](const DenseFeature& self) { return (self.kinds & self.kHiero) != 0; })
      .def_ro("weight", &DenseFeature::weight)
      .def_ro("optional", &DenseFeature::optional)
      .def_prop_ro("description",
                   [](const DenseFeature& self) { return std::string(self.description); });
  m.def("dense_features", &dense_features, "All dense features, in the order of their weights.");
  m.attr("UNKNOWN_WORD_VALUE") = UnknownWord::kValue;
  m.attr("MAX_LANGUAGE_MODELS") = SearchModel::kMaxLanguageModels;
}

template <auto Member>
auto column() {
  return [](nb::handle self) {
    const auto& values = nb::cast<const SearchRecord&>(self).*Member;
    return view_array(std::span(values), self);
  };
}

template <auto Member>
auto offsets() {
  return [](nb::handle self) {
    const auto& csr = nb::cast<const SearchRecord&>(self).*Member;
    return view_array(std::span(csr.offsets), self);
  };
}

template <auto Member>
auto values() {
  return [](nb::handle self) {
    const auto& csr = nb::cast<const SearchRecord&>(self).*Member;
    return view_array(std::span(csr.values), self);
  };
}

void bind_record(nb::module_& m) {
  nb::class_<SearchRecord>(m, "SearchRecord", "The forest and the bins of one search.")
      .def_prop_ro("edge_offsets", column<&SearchRecord::edge_offsets>())
      .def_prop_ro("tail_offsets", column<&SearchRecord::tail_offsets>())
      .def_prop_ro("tails", column<&SearchRecord::tails>())
      .def_prop_ro("edge_rule", column<&SearchRecord::edge_rule>())
      .def_prop_ro("edge_begin", column<&SearchRecord::edge_begin>())
      .def_prop_ro("edge_end", column<&SearchRecord::edge_end>())
      .def_prop_ro("target_offsets", offsets<&SearchRecord::edge_target>())
      .def_prop_ro("target_symbols", values<&SearchRecord::edge_target>())
      .def_prop_ro("feature_offsets", offsets<&SearchRecord::feature_ids>())
      .def_prop_ro("feature_ids", values<&SearchRecord::feature_ids>())
      .def_prop_ro("feature_values", column<&SearchRecord::feature_values>())
      .def_prop_ro("part_offsets", offsets<&SearchRecord::edge_parts>())
      .def_prop_ro("parts", values<&SearchRecord::edge_parts>())
      .def_prop_ro("key_offsets", offsets<&SearchRecord::part_keys>())
      .def_prop_ro("keys", values<&SearchRecord::part_keys>())
      .def_prop_ro("key_values", column<&SearchRecord::part_values>())
      .def_prop_ro("node_bin", column<&SearchRecord::node_bin>())
      .def_prop_ro("node_score", column<&SearchRecord::node_score>())
      .def_prop_ro("node_future", column<&SearchRecord::node_future>())
      .def_prop_ro("node_alive", column<&SearchRecord::node_alive>())
      .def_prop_ro("node_reaches", column<&SearchRecord::node_reaches>())
      .def_prop_ro("bin_label", column<&SearchRecord::bin_label>())
      .def_prop_ro("bin_begin", column<&SearchRecord::bin_begin>())
      .def_prop_ro("bin_end", column<&SearchRecord::bin_end>())
      .def_prop_ro("monotone_offsets", offsets<&SearchRecord::monotone>())
      .def_prop_ro("monotone_words", values<&SearchRecord::monotone>())
      .def_prop_ro("monotone_score", column<&SearchRecord::monotone_score>())
      .def_ro("fell_back", &SearchRecord::fell_back);
}

void bind_translations(nb::module_& m) {
  nb::class_<Translations>(m, "Translations", "The best translation of each sentence.")
      .def_ro("text", &Translations::text)
      .def_prop_ro("scores",
                   [](nb::handle self) {
                     const auto& all = nb::cast<const Translations&>(self);
                     return view_array(std::span(all.scores), self);
                   })
      .def_prop_ro("features",
                   [](nb::handle self) {
                     const auto& all = nb::cast<const Translations&>(self);
                     return view_array(std::span(all.features), self);
                   })
      .def(
          "steps",
          [](const Translations& self, size_t sentence) {
            nb::typed<nb::list, nb::typed<nb::tuple, int, int, int>> result;
            if (sentence >= self.steps.size()) throw std::out_of_range("no such sentence");
            for (const Translations::DerivationStep& step : self.steps[sentence])
              result.append(nb::make_tuple(step.rule, step.begin, step.end));
            return result;
          },
          nb::arg("sentence"), "(rule, begin, end); rule -1 for a copied word, -2 for glue.")
      .def_ro("fell_back", &Translations::fell_back);
}

template <typename Kind>
void bind_searchers(nb::module_& m, const char* name) {
  using Pool = Searchers<Kind>;
  nb::class_<Pool>(m, name,
                   "Searches of one model with fixed weights and options, reused between calls.")
      .def(
          "__init__",
          [](Pool* self, const typename Kind::Model& model, WeightArray weights,
             const typename Kind::Limits& options) {
            new (self) Pool(model, {weights.data(), weights.size()}, options);
          },
          nb::arg("model"), nb::arg("weights").noconvert(), nb::arg("options"),
          nb::keep_alive<1, 2>())
      .def(
          "translate",
          [](Pool& self, const SourceSentences& source, int threads,
             const ProgressCallback& progress) {
            return interruptible(
                [&](const StopFlag& stop, Progress& counter) {
                  return translate(self, source, threads, stop, counter);
                },
                progress);
          },
          nb::arg("source"), nb::arg("threads"), nb::arg("progress").none())
      .def(
          "translate_here",
          [](Pool& self, const SourceSentences& source, const StopFlag& stop) {
            Progress counter;
            return translate(self, source, 1, stop, counter);
          },
          nb::arg("source"), nb::arg("stop"), nb::call_guard<nb::gil_scoped_release>(),
          "On the calling thread; another thread may raise the flag.")
      .def(
          "submit",
          [](nb::object self, JobQueue& queue, nb::object owner, nb::object source,
             nb::object stop) {
            queue.submit(std::make_shared<QueuedSearches<Kind>>(
                std::move(owner), typename QueuedSearches<Kind>::Objects{
                                      std::move(self), std::move(source), std::move(stop)}));
          },
          nb::sig("def submit(self, queue: JobQueue, owner: object, source: SourceSentences, "
                  "stop: StopFlag) -> None"),
          "Translates the sentences on the threads of the queue.");
}

// The methods that search a batch of sentences.
template <typename Kind, typename Class>
void bind_batch_calls(Class& model) {
  using Model = typename Kind::Model;
  using Limits = typename Kind::Limits;
  model.def(
      "candidates",
      [](const Model& self, const SourceSentences& source, WeightArray weights,
         const Limits& options, std::optional<KBestOptions> kbest, std::optional<BinOptions> bins,
         bool parts, int threads, const ProgressCallback& progress, const Part& part) {
        const SearchBatch batch{range_of(source, part), {weights.data(), weights.size()}, threads};
        CandidateLists lists = interruptible(
            [&](const StopFlag& stop, Progress& counter) {
              return candidate_lists<Kind>(self, options, batch, {kbest, bins, parts}, stop,
                                           counter);
            },
            progress);
        return std::pair(std::move(lists.kbest), std::move(lists.bins));
      },
      nb::arg("source"), nb::arg("weights").noconvert(), nb::arg("options"),
      nb::arg("kbest").none(), nb::arg("bins").none(), nb::arg("parts"), nb::arg("threads"),
      nb::arg("progress").none(), nb::arg("part").none() = nb::none(),
      "K-best lists and bins of one search per sentence, or per sentence of `part`; empty unless "
      "requested.");
  model.def(
      "search",
      [](const Model& self, const SourceSentences& source, WeightArray weights,
         const Limits& options, RecordKind kind, bool monotone, bool parts, int threads,
         const ProgressCallback& progress) {
        const SearchBatch batch{source, {weights.data(), weights.size()}, threads};
        return interruptible(
            [&](const StopFlag& stop, Progress& counter) {
              return record_searches<Kind>(self, options, batch, {kind, monotone, parts}, stop,
                                           counter);
            },
            progress);
      },
      nb::arg("source"), nb::arg("weights").noconvert(), nb::arg("options"), nb::arg("kind"),
      nb::arg("monotone"), nb::arg("parts"), nb::arg("threads"), nb::arg("progress").none());
}

void bind_constraints(nb::module_& m) {
  nb::enum_<ConstraintKind>(m, "ConstraintKind")
      .value("exclusive", ConstraintKind::kExclusive)
      .value("inclusive", ConstraintKind::kInclusive)
      .value("containing", ConstraintKind::kContaining)
      .value("forbidden", ConstraintKind::kForbidden)
      .value("wall", ConstraintKind::kWall)
      .value("zone", ConstraintKind::kZone);
  nb::class_<ConstraintText>(m, "Constraint", "What a user asks of the translation of a span.")
      .def(
          "__init__",
          [](ConstraintText* self, ConstraintKind kind, int32_t begin, int32_t end,
             std::vector<std::string> targets, std::vector<double> log_probabilities) {
            new (self)
                ConstraintText{kind, begin, end, std::move(targets), std::move(log_probabilities)};
          },
          nb::arg("kind"), nb::arg("begin"), nb::arg("end"), nb::arg("targets"),
          nb::arg("log_probabilities"));
  m.attr("MAX_GIVEN_OPTIONS") = kMaxGivenOptions;
  m.attr("MAX_GIVEN_WORDS") = kMaxGivenWords;
  m.attr("GIVEN") = SearchRecord::kGiven;
}

void bind_models(nb::module_& m) {
  nb::class_<SearchModel>(m, "SearchModel", "Rules and language models, for any search.");
  auto phrase = nb::class_<PhraseModel, SearchModel>(m, "PhraseModel", "For phrase search.")
                    .def(nb::init<RuleStore, std::vector<LanguageModel>, Vocabulary, Sparse, bool,
                                  std::optional<LanguageModel>, bool>(),
                         nb::arg("rules"), nb::arg("language_models"), nb::arg("vocabulary"),
                         nb::arg("sparse") = Sparse{}, nb::arg("unknown_phrase_penalty") = false,
                         nb::arg("operations") = nb::none(), nb::arg("given") = false);
  bind_batch_calls<PhraseKind>(phrase);

  nb::class_<HieroGrammar>(m, "HieroGrammar")
      .def(nb::init<>())
      .def_rw("nonterminal", &HieroGrammar::nonterminal)
      .def_rw("goal", &HieroGrammar::goal)
      .def_rw("pass_through_all", &HieroGrammar::pass_through_all);
  auto hiero = nb::class_<HieroModel, SearchModel>(m, "HieroModel", "For chart search.")
                   .def(nb::init<RuleStore, std::vector<LanguageModel>, Vocabulary, HieroGrammar,
                                 Sparse, bool, const std::optional<DistortionCounts>&, bool>(),
                        nb::arg("rules"), nb::arg("language_models"), nb::arg("vocabulary"),
                        nb::arg("grammar"), nb::arg("sparse") = Sparse{},
                        nb::arg("unknown_phrase_penalty") = false,
                        nb::arg("distortion") = nb::none(), nb::arg("given") = false);
  bind_batch_calls<HieroKind>(hiero);
}

}  // namespace

void bind_search(nb::module_& m) {
  bind_dense_features(m);
  bind_options(m);
  bind_record(m);
  bind_translations(m);
  bind_constraints(m);
  bind_models(m);
  nb::class_<StopFlag>(m, "StopFlag", "Ends the native call that it was given to. Thread-safe.")
      .def(nb::init<>())
      .def("set", &StopFlag::raise, "The call ends soon, with KeyboardInterrupt.")
      .def("is_set", &StopFlag::raised);
  bind_searchers<PhraseKind>(m, "PhraseSearchers");
  bind_searchers<HieroKind>(m, "HieroSearchers");

  nb::class_<SourceSentences>(m, "SourceSentences", "Tokenised sentences to translate.")
      .def(
          "__init__",
          [](SourceSentences* self, const SearchModel& model, const std::vector<std::string>& lines,
             std::vector<std::string> references, std::vector<int32_t> lengths,
             std::vector<int32_t> pairs, TagLines tags, std::vector<std::string> constituents,
             ConstraintLists constraints) {
            new (self) SourceSentences(
                model, lines, {std::move(references), std::move(lengths), std::move(pairs)},
                {std::move(tags), std::move(constituents), std::move(constraints)});
          },
          nb::arg("model"), nb::arg("lines"), nb::arg("references") = nb::list(),
          nb::arg("lengths") = nb::list(), nb::arg("pairs") = nb::list(),
          nb::arg("tags") = nb::list(), nb::arg("constituents") = nb::list(),
          nb::arg("constraints") = nb::list(),
          "For training: references, the number of source words to translate per sentence, and "
          "the index of each sentence pair in the bitext. `tags`: those of the tokens, one line "
          "per sentence, empty if it has none; `constituents`: those of the trees, such as "
          "`0-2-NP 2-3-VP`; `constraints`: those of each sentence.")
      .def("__len__", &SourceSentences::size)
      .def(
          "words",
          [](const SourceSentences& self, size_t sentence) {
            if (sentence >= self.size()) throw std::out_of_range("no such sentence");
            return own_array(std::vector<WordId>(self[sentence].begin(), self[sentence].end()));
          },
          nb::arg("sentence"))
      .def(
          "word", [](const SourceSentences& self, WordId id) { return std::string(self.word(id)); },
          nb::arg("id"));
}

}  // namespace demotic::python
