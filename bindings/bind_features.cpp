#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <algorithm>

#include "arrays.h"
#include "demotic/features/stored_weights.h"
#include "demotic/features/template_features.h"
#include "interruptible.h"

namespace nb = nanobind;

namespace demotic {
namespace {

using Keys = ArrayArgument<FeatureKey>;
using Words = ArrayArgument<WordId>;

nb::str to_str(std::string_view text) { return nb::str(text.data(), text.size()); }

void check_rule(const TemplateFeatures& self, RuleId rule) {
  if (rule != kNoRule && rule >= self.rules().size()) throw std::out_of_range("no such rule");
}

SentenceWords sentence(const Words& words, WordId after, int32_t begin, int32_t end) {
  if (begin < 0 || begin >= end || static_cast<size_t>(end) > words.size())
    throw std::out_of_range("no such span");
  return {span_of(words), after};
}

void bind_templates(nb::module_& m) {
  nb::class_<FeatureTemplate>(m, "FeatureTemplate", "What a kind of sparse features looks at.")
      .def(nb::init<std::string_view>(), nb::arg("text"))
      .def_prop_ro("text", &FeatureTemplate::text)
      .def_prop_ro("cost", &FeatureTemplate::cost)
      .def_prop_ro("family",
                   [](const FeatureTemplate& self) { return to_str(text_of(self.family())); })
      .def_prop_ro(
          "layers",
          [](const FeatureTemplate& self) {
            std::vector<std::string> names;
            for (const FeatureAtom atom : self.atoms())
              if (std::string name = layer_of(atom); !name.empty()) names.push_back(name);
            return names;
          },
          "Names of the layers of word classes that it needs.");
  m.attr("FEATURE_BUDGET") = kFeatureBudget;
}

void bind_template_features(nb::module_& m) {
  nb::class_<SparseFeatures>(m, "SparseFeatures");
  auto features =
      nb::class_<TemplateFeatures, SparseFeatures>(m, "TemplateFeatures", "Keys by templates.")
          .def(nb::init<std::vector<FeatureTemplate>, const std::vector<ClassLayer>&, RuleStore,
                        Vocabulary, bool>(),
               nb::arg("templates"), nb::arg("layers"), nb::arg("rules"), nb::arg("vocabulary"),
               nb::arg("gaps"))
          .def_prop_ro("templates", &TemplateFeatures::templates)
          .def_prop_ro("layout", &TemplateFeatures::layout)
          .def_prop_ro("joint", &TemplateFeatures::joint)
          .def(
              "for_rules",
              [](const TemplateFeatures& self, RuleStore rules, ArrayArgument<RuleId> same) {
                return self.for_rules(std::move(rules),
                                      std::vector<RuleId>(same.data(), same.data() + same.size()));
              },
              nb::arg("rules"), nb::arg("same").noconvert(),
              "The features of another store's rules, with the keys that they have here.")
          .def("template_of", &TemplateFeatures::template_of, nb::arg("key"))
          .def(
              "templates_of",
              [](const TemplateFeatures& self, Keys keys) {
                std::vector<int32_t> numbers;
                numbers.reserve(keys.size());
                for (const FeatureKey key : span_of(keys))
                  numbers.push_back(static_cast<int32_t>(self.template_of(key)));
                return own_array(std::move(numbers));
              },
              nb::arg("keys").noconvert())
          .def("name", &TemplateFeatures::name, nb::arg("key"));
  features
      .def(
          "rule_keys",
          [](const TemplateFeatures& self, RuleId rule) {
            check_rule(self, rule);
            std::vector<FeatureKey> keys;
            self.add_rule_keys(rule, keys);
            return own_array(std::move(keys));
          },
          nb::arg("rule"))
      .def(
          "span_keys",
          [](const TemplateFeatures& self, Words words, WordId after, int32_t begin, int32_t end) {
            std::vector<FeatureKey> keys;
            self.add_span_keys(sentence(words, after, begin, end), begin, end, keys);
            return own_array(std::move(keys));
          },
          nb::arg("words").noconvert(), nb::arg("after"), nb::arg("begin"), nb::arg("end"))
      .def(
          "mixed_keys",
          [](const TemplateFeatures& self, RuleId rule, Words words, WordId after, int32_t begin,
             int32_t end) {
            check_rule(self, rule);
            std::vector<FeatureKey> keys;
            self.add_mixed_keys(rule, sentence(words, after, begin, end), begin, end, keys);
            return own_array(std::move(keys));
          },
          nb::arg("rule"), nb::arg("words").noconvert(), nb::arg("after"), nb::arg("begin"),
          nb::arg("end"))
      .def(
          "joint_keys",
          [](const TemplateFeatures& self, RuleId past, std::pair<WordId, WordId> words,
             RuleId rule) {
            check_rule(self, rule);
            check_rule(self, past);
            std::vector<FeatureKey> keys;
            self.add_joint_keys({past, {words.first, words.second}}, rule, keys);
            return own_array(std::move(keys));
          },
          nb::arg("past"), nb::arg("words"), nb::arg("rule"),
          "Words: the last but one and the last of what was translated before.")
      .def(
          "relevant",
          [](const TemplateFeatures& self, RuleId past, std::pair<WordId, WordId> words) {
            const auto kept = self.relevant({past, {words.first, words.second}});
            return std::pair(kept.rule, std::pair(kept.words[0], kept.words[1]));
          },
          nb::arg("past"), nb::arg("words"));
  m.attr("NO_RULE") = kNoRule;
}

void bind_table(nb::module_& m) {
  nb::class_<SparseTable, SparseWeights>(m, "SparseTable", "Sparse weights that change.")
      .def(nb::init<uint64_t>(), nb::arg("layout"))
      .def_static(
          "load",
          [](const std::string& path) {
            return interruptible(
                [&](const StopFlag& stop, Progress&) { return SparseTable::load(path, stop); });
          },
          nb::arg("path"))
      .def("save", &SparseTable::save, nb::arg("path"), nb::call_guard<nb::gil_scoped_release>())
      .def("__len__", &SparseTable::size)
      .def_prop_ro("size_bytes", &SparseTable::size_bytes)
      .def_prop_ro("layout", &SparseTable::layout)
      .def(
          "add",
          [](SparseTable& self, Keys keys, ArrayArgument<float> deltas, int64_t step) {
            if (keys.size() != deltas.size()) throw std::invalid_argument("as many deltas as keys");
            nb::gil_scoped_release release;
            for (size_t i = 0; i < keys.size(); ++i)
              self.add(keys.data()[i], deltas.data()[i], step);
          },
          nb::arg("keys").noconvert(), nb::arg("deltas").noconvert(), nb::arg("step"),
          "Adds to weights at a step: the number of steps that were finished before.")
      .def("averaged", &SparseTable::averaged, nb::arg("key"), nb::arg("steps"))
      .def(
          "arrays",
          [](const SparseTable& self, int64_t steps) {
            std::vector<std::pair<FeatureKey, float>> all;
            self.for_each([&](const SparseTable::Feature& one) {
              all.emplace_back(one.key, steps > 0 ? one.averaged(steps) : one.weight);
            });
            std::sort(all.begin(), all.end());
            std::vector<FeatureKey> keys;
            std::vector<float> weights;
            for (const auto& [key, weight] : all) {
              keys.push_back(key);
              weights.push_back(weight);
            }
            return nb::make_tuple(own_array(std::move(keys)), own_array(std::move(weights)));
          },
          nb::arg("steps"),
          nb::sig("def arrays(self, steps: int) -> tuple[NDArray[numpy.uint64], "
                  "NDArray[numpy.float32]]"),
          "Keys in order and their weights, averaged if steps is not 0.");
}

void bind_stored(nb::module_& m) {
  nb::class_<StoredSparseWeights, SparseWeights>(m, "StoredSparseWeights",
                                                 "Sparse weights in a file; immutable.")
      .def_static(
          "open",
          [](const std::string& path, bool verify) {
            return interruptible([&](const StopFlag& stop, Progress&) {
              return StoredSparseWeights::open(path, verify, stop);
            });
          },
          nb::arg("path"), nb::arg("verify"))
      .def("__len__", &StoredSparseWeights::size)
      .def_prop_ro("size_bytes", &StoredSparseWeights::size_bytes)
      .def_prop_ro("layout", &StoredSparseWeights::layout)
      .def(
          "arrays",
          [](const StoredSparseWeights& self) {
            auto all = self.arrays();
            return nb::make_tuple(own_array(std::move(all.keys)),
                                  own_array(std::move(all.weights)));
          },
          nb::sig("def arrays(self) -> tuple[NDArray[numpy.uint64], NDArray[numpy.float32]]"),
          "Keys in order and their weights.");
  m.def(
      "store_weights",
      [](const std::string& path, Keys keys, ArrayArgument<float> weights, uint64_t layout) {
        nb::gil_scoped_release release;
        store_weights(path, span_of(keys), span_of(weights), layout);
      },
      nb::arg("path"), nb::arg("keys").noconvert(), nb::arg("weights").noconvert(),
      nb::arg("layout"), "Writes a file for StoredSparseWeights; zeros are left out.");
  m.def(
      "store_table",
      [](const std::string& path, const SparseTable& table, int64_t steps) {
        nb::gil_scoped_release release;
        store_weights(path, table, steps);
      },
      nb::arg("path"), nb::arg("table"), nb::arg("steps"),
      "The same of a table: averaged over so many steps, or as it is if that is 0.");
}

}  // namespace

void bind_features(nb::module_& m) {
  bind_templates(m);
  bind_template_features(m);
  nb::class_<SparseWeights>(m, "SparseWeights")
      .def(
          "sum",
          [](const SparseWeights& self, Keys keys) {
            nb::gil_scoped_release release;
            return self.sum(span_of(keys));
          },
          nb::arg("keys").noconvert())
      .def("weight", &SparseWeights::weight, nb::arg("key"));
  bind_table(m);
  bind_stored(m);
  nb::class_<Sparse>(m, "Sparse", "The sparse part of a model.")
      .def(nb::init<>())
      .def(
          "__init__",
          [](Sparse* self, std::shared_ptr<const SparseFeatures> features,
             std::shared_ptr<const SparseWeights> weights) {
            new (self) Sparse{std::move(features), std::move(weights)};
          },
          nb::arg("features"), nb::arg("weights"));
}

}  // namespace demotic
