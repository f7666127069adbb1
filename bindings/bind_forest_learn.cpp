#include <nanobind/nanobind.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cmath>
#include <stdexcept>

#include "demotic/forest/gain_rescore.h"
#include "demotic/learn/forest_mert.h"
#include "demotic/metrics/bleu.h"
#include "held_form.h"
#include "held_hypergraph.h"
#include "interruptible.h"

namespace nb = nanobind;

namespace demotic::python {
using namespace all;

namespace {

// Hypergraph, target sides (offsets, words), features (offsets, ids, values), sentence; parts of
// each edge (offsets, parts), features of each part (offsets, ids, values or none).
using ForestParts =
    std::tuple<HeldHypergraph, ArrayArgument<int64_t>, ArrayArgument<int32_t>,
               ArrayArgument<int64_t>, ArrayArgument<int32_t>, ArrayArgument<double>, int64_t,
               ArrayArgument<int64_t>, ArrayArgument<int32_t>, ArrayArgument<int64_t>,
               ArrayArgument<int32_t>, ArrayArgument<double>>;

void check_parts(const ForestView& view, int32_t features) {
  if (view.edge_parts.offsets.empty()) return;
  if (!well_formed(view.edge_parts) ||
      view.edge_parts.size() != static_cast<size_t>(view.graph.edges()) ||
      !well_formed(view.part_features) ||
      (!view.part_values.empty() && view.part_values.size() != view.part_features.values.size()))
    throw std::invalid_argument("the parts do not fit the edges");
  const auto parts = static_cast<int32_t>(view.part_features.size());
  for (const int32_t part : view.edge_parts.values)
    if (part < 0 || part >= parts) throw std::out_of_range("a part is out of range");
  for (const int32_t id : view.part_features.values)
    if (id < 0 || id >= features) throw std::out_of_range("a feature is out of range");
}

ForestView view_of(const ForestParts& parts, int32_t features) {
  const auto& [graph, offsets, words, feature_offsets, ids, values, sentence, edge_offsets,
               edge_parts, part_offsets, part_features, part_values] = parts;
  const ForestView view{.graph = graph.view(),
                        .targets = {span_of(offsets), span_of(words)},
                        .features = {{span_of(feature_offsets), span_of(ids)}, span_of(values)},
                        .sentence = sentence,
                        .edge_parts = {span_of(edge_offsets), span_of(edge_parts)},
                        .part_features = {span_of(part_offsets), span_of(part_features)},
                        .part_values = span_of(part_values)};
  check_targets(view.graph, view.targets);
  check_rows(view.features);
  check_parts(view, features);
  if (view.features.size() != static_cast<size_t>(view.graph.edges()))
    throw std::invalid_argument("expected " + std::to_string(view.graph.edges()) +
                                " rows of features (one per edge), got " +
                                std::to_string(view.features.size()));
  return view;
}

using YieldCounter = nb::typed<nb::callable, nb::object(int64_t, nb::object, nb::object)>;

// counter(sentence, offsets, words) -> statistics of the yields, one row after the other, in one
// flat array. Native threads call it with the GIL.
RowCounter python_counter(const nb::callable& counter) {
  return [&counter](int64_t sentence, const CsrView<int32_t>& words, std::span<int32_t> rows) {
    const nb::gil_scoped_acquire gil;
    const nb::object found = counter(
        sentence,
        nb::cast(own_array(std::vector<int64_t>(words.offsets.begin(), words.offsets.end()))),
        nb::cast(own_array(std::vector<int32_t>(words.values.begin(), words.values.end()))));
    ArrayArgument<int32_t> array;
    if (!nb::try_cast(found, array) || array.size() != rows.size())
      throw std::invalid_argument("expected " + std::to_string(rows.size()) +
                                  " statistics from the metric");
    std::copy_n(array.data(), rows.size(), rows.begin());
  };
}

RowCounter bleu_counter(const ReferenceSet& references, ReferenceLength rule) {
  return [count = BleuCounter(references, rule)](int64_t sentence, const CsrView<int32_t>& words,
                                                 std::span<int32_t> rows) mutable {
    for (size_t i = 0; i < words.size(); ++i)
      count(sentence, words[i], rows.data() + i * kBleuColumns);
  };
}

// Forests over NumPy arrays and what makes statistics of their yields; keeps all of them alive.
class HeldForests {
 public:
  HeldForests(std::vector<ForestParts> parts, nb::object references, std::string_view length,
              int32_t features)
      : HeldForests(std::move(parts), features) {
    counts_by_ = std::move(references);
    const auto& known = nb::cast<const ReferenceSet&>(counts_by_);
    const ReferenceLength rule = reference_length_named(length);
    for (const ForestView& view : views_)
      if (view.sentence < 0 || view.sentence >= known.size())
        throw std::out_of_range("a forest belongs to a sentence without references");
    set_ = {views_, [&known, rule] { return bleu_counter(known, rule); }, kBleuColumns, features};
  }
  HeldForests(std::vector<ForestParts> parts, YieldCounter counter, int32_t columns,
              int32_t features)
      : HeldForests(std::move(parts), features) {
    if (columns < 1) throw std::invalid_argument("the metric has no statistics");
    counter_ = std::move(counter);
    set_ = {views_, [this] { return python_counter(counter_); }, columns, features};
  }
  // The set refers to this object.
  HeldForests(const HeldForests&) = delete;
  HeldForests& operator=(const HeldForests&) = delete;

  const ForestSet& set() const { return set_; }
  const ForestView& at(int64_t place) const {
    if (place < 0 || place >= set_.size()) throw std::out_of_range("no such forest");
    return views_[place];
  }
  const ReferenceSet& references() const {
    if (!counts_by_) throw std::invalid_argument("these forests were not made for BLEU");
    return nb::cast<const ReferenceSet&>(counts_by_);
  }

  std::span<const double> checked(const ArrayArgument<double>& weights) const {
    if (weights.size() != static_cast<size_t>(set_.features))
      throw std::invalid_argument("expected " + std::to_string(set_.features) +
                                  " weights (one per feature), got " +
                                  std::to_string(weights.size()));
    for (const double weight : span_of(weights))
      if (!std::isfinite(weight)) throw std::invalid_argument("a weight is not finite");
    return span_of(weights);
  }
  MetricForm checked(const HeldForm& form) const {
    if (!fits(form.form(), set_.statistics))
      throw std::invalid_argument("the statistics do not fit the metric");
    return form.form();
  }

 private:
  HeldForests(std::vector<ForestParts> parts, int32_t features) : parts_(std::move(parts)) {
    for (const ForestParts& one : parts_) views_.push_back(view_of(one, features));
  }

  std::vector<ForestParts> parts_;
  nb::object counts_by_;  // a ReferenceSet
  nb::callable counter_;
  std::vector<ForestView> views_;
  ForestSet set_;
};

// Runs work(pool, stop) so that Ctrl-C ends it.
template <typename Work>
auto with_threads(int threads, Work&& work) {
  return interruptible([&](const StopFlag& stop, Progress&) {
    ThreadPool pool(threads);
    return work(pool, stop);
  });
}

void bind_forests(nb::module_& m) {
  nb::class_<HeldForests>(m, "ForestSet", "The forests of a tuning set; immutable.")
      .def(nb::init<std::vector<ForestParts>, nb::object, std::string_view, int32_t>(),
           nb::arg("forests"), nb::arg("references"), nb::arg("reference_length"),
           nb::arg("features"),
           "Per forest: hypergraph, offsets and words of its target sides in ids of the "
           "references, offsets, ids and values of its features, sentence, offsets and parts of "
           "the edges, offsets and ids of the features of each part. Yields are counted for BLEU.")
      .def(nb::init<std::vector<ForestParts>, YieldCounter, int32_t, int32_t>(), nb::arg("forests"),
           nb::arg("counter"), nb::arg("columns"), nb::arg("features"),
           "counter(sentence, offsets, words) gives `columns` statistics per yield, one row after "
           "the other.")
      .def(
          "edge_scores",
          [](const HeldForests& self, int64_t place, ArrayArgument<double> weights) {
            const ForestView& forest = self.at(place);
            if (weights.size() != static_cast<size_t>(self.set().features))
              throw std::invalid_argument("expected one weight per feature");
            return own_array(released([&] { return edge_scores(forest, span_of(weights)); }));
          },
          nb::arg("place"), nb::arg("weights").noconvert(),
          "The scores of the edges of a forest under the weights.")
      .def(
          "derivation_features",
          [](const HeldForests& self, int64_t place, ArrayArgument<int64_t> offsets,
             ArrayArgument<int32_t> edges) {
            const ForestView& forest = self.at(place);
            const CsrView<int32_t> derivations{span_of(offsets), span_of(edges)};
            if (!well_formed(derivations)) throw std::invalid_argument("inconsistent offsets");
            for (const int32_t edge : derivations.values)
              if (edge < 0 || edge >= forest.graph.edges()) throw std::out_of_range("no such edge");
            FeatureTable table = released([&] { return derivation_features(forest, derivations); });
            return std::make_tuple(own_array(std::move(table.ids.offsets)),
                                   own_array(std::move(table.ids.values)),
                                   own_array(std::move(table.values)));
          },
          nb::arg("place"), nb::arg("offsets").noconvert(), nb::arg("edges").noconvert(),
          "Offsets, ids and values of the features of derivations of a forest.")
      .def(
          "best_statistics",
          [](const HeldForests& self, ArrayArgument<double> weights, int threads) {
            const auto given = self.checked(weights);
            return own_array(with_threads(threads, [&](ThreadPool& pool, const StopFlag& stop) {
              return best_statistics(self.set(), given, pool, stop);
            }));
          },
          nb::arg("weights").noconvert(), nb::arg("threads"),
          "Statistics summed over the best derivations under the weights.")
      .def(
          "line_search",
          [](const HeldForests& self, const HeldForm& held, ArrayArgument<double> weights,
             ArrayArgument<double> direction, int threads) {
            const MetricForm form = self.checked(held);
            const auto given = self.checked(weights), along = self.checked(direction);
            return with_threads(threads, [&](ThreadPool& pool, const StopFlag& stop) {
              ForestSpace space(self.set(), form, pool, stop);
              space.rescore(given);
              const LinePoint found = space.along(along, stop);
              return std::make_tuple(found.step, found.score, space.segments());
            });
          },
          nb::arg("form"), nb::arg("weights").noconvert(), nb::arg("direction").noconvert(),
          nb::arg("threads"),
          "The best step along the direction, the score there, and the number of segments.");
}

// The n-grams of all references of a sentence.
ReferenceNgrams ngrams_of(const ReferenceSet& references, int64_t sentence) {
  size_t words = 0;
  const int64_t begin = references.first(sentence), end = references.first(sentence + 1);
  for (int64_t r = begin; r < end; ++r) words += references.text(r).size();
  ReferenceNgrams table;
  table.clear(words, kBleuOrder);
  for (int64_t r = begin; r < end; ++r) table.add(references.text(r));
  return table;
}

std::vector<double> edge_gains(const HeldForests& forests, int64_t place,
                               std::span<const double> scores, std::span<const int32_t> covered,
                               const GainContext& context) {
  const ForestView& forest = forests.set().forests[place];
  check_scores(forest.graph, scores);
  if (covered.size() != static_cast<size_t>(forest.graph.nodes()) ||
      context.background.size() != static_cast<size_t>(kBleuColumns))
    throw std::invalid_argument(
        "expected one number of covered words per node, and one count per column");
  return interruptible([&](const StopFlag& stop, Progress&) {
    const ReferenceNgrams table = ngrams_of(forests.references(), forest.sentence);
    return gain_rescore(forest.graph, forest.targets, scores, covered, table.view(), context, stop);
  });
}

void bind_gains(nb::module_& m) {
  m.def(
      "edge_gains",
      [](const HeldForests& forests, int64_t place, ArrayArgument<double> scores,
         ArrayArgument<int32_t> covered, ArrayArgument<double> background,
         const std::tuple<double, double>& lengths, const std::tuple<double, double>& factors) {
        forests.at(place);
        const GainContext context{span_of(background), std::get<0>(lengths), std::get<1>(lengths),
                                  std::get<0>(factors), std::get<1>(factors)};
        return own_array(edge_gains(forests, place, span_of(scores), span_of(covered), context));
      },
      nb::arg("forests"), nb::arg("place"), nb::arg("scores").noconvert(),
      nb::arg("covered").noconvert(), nb::arg("background").noconvert(), nb::arg("lengths"),
      nb::arg("factors"),
      "The gain of each edge in BLEU in context; lengths: source words of the background and the "
      "reference of the sentence; factors: of gain and score. See forest/gain_rescore.h.");
}

}  // namespace

void bind_forest_learn(nb::module_& m) {
  bind_forests(m);
  bind_gains(m);
  m.def(
      "forest_mert",
      [](const HeldForests& forests, const HeldForm& held, ArrayArgument<double> weights,
         const MertOptions& options, int threads) {
        const MetricForm form = forests.checked(held);
        const auto given = forests.checked(weights);
        MertResult result = with_threads(threads, [&](ThreadPool& pool, const StopFlag& stop) {
          return forest_mert(forests.set(), form, given, options, pool, stop);
        });
        return std::make_tuple(own_array(std::move(result.weights)),
                               own_array(std::move(result.scores)), result.searches);
      },
      nb::arg("forests"), nb::arg("form"), nb::arg("weights").noconvert(), nb::arg("options"),
      nb::arg("threads"), "Weights, the score of every start, and the number of line searches.");
}

}  // namespace demotic::python
