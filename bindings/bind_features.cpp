#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <algorithm>

#include "arrays.h"
#include "demotic/features/frequent_words.h"
#include "demotic/features/template_features.h"
#include "demotic/rules/gap_reordering.h"

namespace nb = nanobind;

namespace demotic::python {
using namespace all;
namespace {

using Keys = ArrayArgument<FeatureKey>;
using Words = ArrayArgument<WordId>;

nb::str to_str(std::string_view text) { return nb::str(text.data(), text.size()); }

std::vector<std::string> to_strs(const std::vector<std::string_view>& texts) {
  return {texts.begin(), texts.end()};
}

void check_rule(const TemplateFeatures& self, RuleId rule) {
  if (rule != kNoRule && rule >= self.rules().size()) throw std::out_of_range("no such rule");
}

using Tags = std::vector<int32_t>;

SentenceWords sentence(const Words& words, WordId after, int32_t begin, int32_t end,
                       const Tags& tags) {
  if (begin < 0 || begin >= end || static_cast<size_t>(end) > words.size())
    throw std::out_of_range("no such span");
  return {span_of(words), after, tags};
}

// The keys of each rule, collected from its groups.
std::vector<std::vector<FeatureKey>> lists_of(const SharedKeys& shared, size_t rules) {
  std::vector<std::vector<FeatureKey>> lists(rules);
  for (size_t i = 0; i < shared.groups.size(); ++i) {
    const uint32_t group = shared.groups[i], begin = group == 0 ? 0 : shared.ends[group - 1];
    lists[i % rules].insert(lists[i % rules].end(), shared.keys.begin() + begin,
                            shared.keys.begin() + shared.ends[group]);
  }
  return lists;
}

void bind_templates(nb::module_& m) {
  nb::class_<FeatureTemplate>(
      m, "FeatureTemplate",
      "A template of sparse features: the places it looks at, and at which level.")
      .def(nb::init<std::string_view>(), nb::arg("text"))
      .def_prop_ro("text", &FeatureTemplate::text)
      .def_prop_ro("cost", &FeatureTemplate::cost)
      .def_prop_ro("family", [](const FeatureTemplate& self) { return to_str(self.family()); })
      .def_prop_ro(
          "missing",
          [](const FeatureTemplate& self) {
            return self.spec() ? to_strs(self.spec()->missing()) : std::vector<std::string>();
          },
          "A family: names of the lists that it needs and does not have yet.")
      .def_prop_ro(
          "number",
          [](const FeatureTemplate& self) { return self.spec() ? self.spec()->number() : 0; },
          "A family: the number that determines its lists.")
      .def_prop_ro(
          "trees",
          [](const FeatureTemplate& self) { return self.spec() && self.spec()->info().trees; },
          "Whether it looks at source trees.")
      .def(
          "list_of",
          [](const FeatureTemplate& self, std::string_view name) {
            if (!self.spec()) throw std::invalid_argument("only families have lists");
            return self.spec()->list(name);
          },
          nb::arg("name"), "A family: one of its lists.")
      .def(
          "with_list",
          [](const FeatureTemplate& self, std::string_view name, std::vector<std::string> items) {
            if (!self.spec()) throw std::invalid_argument("only families have lists");
            return FeatureTemplate(self.spec()->with(name, std::move(items)));
          },
          nb::arg("name"), nb::arg("items"), "The same family with a list.")
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
  m.def(
      "feature_families",
      [] {
        std::vector<std::string> names;
        for (const FamilyInfo& info : family_infos()) names.emplace_back(info.name);
        return names;
      },
      "The names of all families of sparse features.");
  m.def("frequent_words", &frequent_words, nb::arg("store"), nb::arg("role"), nb::arg("limit"),
        nb::call_guard<nb::gil_scoped_release>(),
        "The most frequent words of rules by role: pairs, source, target, inserted or deleted.");
}

void bind_template_features(nb::module_& m) {
  nb::class_<SparseFeatures>(m, "SparseFeatures");
  auto features =
      nb::class_<TemplateFeatures, SparseFeatures>(m, "TemplateFeatures",
                                                   "Sparse features defined by templates.")
          .def(nb::init<std::vector<FeatureTemplate>, const std::vector<ClassLayer>&, RuleStore,
                        Vocabulary, bool>(),
               nb::arg("templates"), nb::arg("layers"), nb::arg("rules"), nb::arg("vocabulary"),
               nb::arg("gaps"))
          .def_prop_ro("templates", &TemplateFeatures::templates)
          .def_prop_ro("layout", &TemplateFeatures::layout)
          .def_prop_ro("joint", &TemplateFeatures::joint)
          .def_prop_ro("has_token_tags", &TemplateFeatures::has_token_tags)
          .def_prop_ro("has_constituents", &TemplateFeatures::has_constituents)
          .def_prop_ro("reads_annotations", &TemplateFeatures::reads_annotations)
          .def_prop_ro("has_gaps", &TemplateFeatures::has_gaps)
          .def("token_tag", &TemplateFeatures::token_tag, nb::arg("name"))
          .def(
              "for_rules",
              [](const TemplateFeatures& self, RuleStore rules, ArrayArgument<RuleId> same) {
                return self.for_rules(std::move(rules),
                                      std::vector<RuleId>(same.data(), same.data() + same.size()));
              },
              nb::arg("rules"), nb::arg("same").noconvert(),
              "The same features for the rules of another store; equal rules have equal keys.")
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
          [](const TemplateFeatures& self, Words words, WordId after, int32_t begin, int32_t end,
             const Tags& tags, const std::vector<std::tuple<int32_t, int32_t, std::string>>& tree) {
            std::vector<Constituent> constituents;
            for (const auto& [from, to, label] : tree)
              if (const int32_t number = self.constituent_label(label); number >= 0)
                constituents.push_back({from, to, number});
            SentenceWords seen = sentence(words, after, begin, end, tags);
            seen.constituents = constituents;
            std::vector<FeatureKey> keys;
            self.add_span_keys(seen, begin, end, keys);
            return own_array(std::move(keys));
          },
          nb::arg("words").noconvert(), nb::arg("after"), nb::arg("begin"), nb::arg("end"),
          nb::arg("tags") = nb::list(), nb::arg("constituents") = nb::list())
      .def(
          "gap_keys",
          [](const TemplateFeatures& self, bool reordered, int32_t size) {
            if (size < 1 || size > kMaxGapSize) throw std::out_of_range("no such size of a gap");
            std::vector<FeatureKey> keys;
            self.add_gap_keys(reordered, size, keys);
            return own_array(std::move(keys));
          },
          nb::arg("reordered"), nb::arg("size"))
      .def(
          "mixed_keys",
          [](const TemplateFeatures& self, RuleId rule, Words words, WordId after, int32_t begin,
             int32_t end, const Tags& tags) {
            check_rule(self, rule);
            std::vector<FeatureKey> keys;
            self.add_mixed_keys(rule, sentence(words, after, begin, end, tags), begin, end, keys);
            return own_array(std::move(keys));
          },
          nb::arg("rule"), nb::arg("words").noconvert(), nb::arg("after"), nb::arg("begin"),
          nb::arg("end"), nb::arg("tags") = nb::list())
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
          "`words` are the last two words of the translation so far.")
      .def(
          "relevant",
          [](const TemplateFeatures& self, RuleId past, std::pair<WordId, WordId> words) {
            const auto kept = self.relevant({past, {words.first, words.second}});
            return std::pair(kept.rule, std::pair(kept.words[0], kept.words[1]));
          },
          nb::arg("past"), nb::arg("words"))
      .def(
          "shared_keys",
          [](const TemplateFeatures& self, const std::vector<RuleId>& rules, Words words,
             WordId after, int32_t begin, int32_t end, const Tags& tags) {
            for (const RuleId rule : rules) check_rule(self, rule);
            SharedKeys shared;
            self.share_rule_keys(rules, shared);
            auto of_rules = lists_of(shared, rules.size());
            self.share_mixed_keys(rules, sentence(words, after, begin, end, tags), begin, end,
                                  shared);
            return std::pair(std::move(of_rules), lists_of(shared, rules.size()));
          },
          nb::arg("rules"), nb::arg("words").noconvert(), nb::arg("after"), nb::arg("begin"),
          nb::arg("end"), nb::arg("tags") = nb::list(),
          "The keys of rules with one source side: rule keys, then mixed keys.");
  m.attr("NO_RULE") = kNoRule;
}

}  // namespace

void bind_features(nb::module_& m) {
  bind_templates(m);
  bind_template_features(m);
}

}  // namespace demotic::python
