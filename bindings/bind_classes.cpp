#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include "arrays.h"
#include "demotic/text/brown.h"
#include "demotic/text/classes.h"
#include "interruptible.h"
#include "options.h"

namespace nb = nanobind;

namespace demotic::python {
using namespace all;
namespace {

nb::str to_str(std::string_view text) { return nb::str(text.data(), text.size()); }

// Copies one field of all merges.
template <typename T>
auto merge_column(const BrownClusters& self, T BrownMerge::* field) {
  std::vector<T> column;
  column.reserve(self.merges.size());
  for (const BrownMerge& merge : self.merges) column.push_back(merge.*field);
  return own_array(std::move(column));
}

void bind_brown(nb::module_& m) {
  bind_struct<BrownOptions>(m, "BrownOptions", std::pair{"classes", &BrownOptions::classes},
                            std::pair{"min_count", &BrownOptions::min_count},
                            std::pair{"max_words", &BrownOptions::max_words});

  nb::class_<BrownClusters>(m, "BrownClusters", "See demotic.text.brown.BrownClusters.")
      .def_prop_ro(
          "word_class",
          [](nb::handle self) {
            return view_array(std::span(nb::cast<const BrownClusters&>(self).word_class), self);
          },
          "Class per word id; -1 for words without a class.")
      .def_prop_ro(
          "counts",
          [](nb::handle self) {
            return view_array(std::span(nb::cast<const BrownClusters&>(self).counts), self);
          },
          "By word id.")
      .def_prop_ro("bits", [](const BrownClusters& self) { return self.bits; })
      .def_ro("information", &BrownClusters::information)
      .def_ro("pairs", &BrownClusters::pairs)
      .def_prop_ro(
          "merge_kept",
          [](const BrownClusters& self) { return merge_column(self, &BrownMerge::kept); },
          nb::rv_policy::automatic)
      .def_prop_ro(
          "merge_gone",
          [](const BrownClusters& self) { return merge_column(self, &BrownMerge::gone); },
          nb::rv_policy::automatic)
      .def_prop_ro(
          "merge_loss",
          [](const BrownClusters& self) { return merge_column(self, &BrownMerge::loss); },
          nb::rv_policy::automatic);

  m.def(
      "brown_clusters",
      [](const Corpus& corpus, WordId words, const BrownOptions& options,
         const ProgressCallback& callback) {
        return interruptible(
            [&](const StopFlag& stop, Progress& progress) {
              return brown_clusters(corpus, words, options, stop, progress);
            },
            callback);
      },
      nb::arg("corpus"), nb::arg("words"), nb::arg("options"), nb::arg("progress").none());
}

}  // namespace

void bind_classes(nb::module_& m) {
  bind_brown(m);
  m.attr("NONE_CLASS") = kNoneClass;
  m.attr("NONE_NAME") = to_str(kNoneName);

  nb::class_<ClassLayer>(m, "ClassLayer",
                         "A class for every word id, and a name for every class; immutable.")
      .def(
          "__init__",
          [](ClassLayer* self, std::string name,
             const nb::ndarray<const int32_t, nb::ndim<1>, nb::c_contig>& classes,
             const std::vector<std::string>& names) {
            std::vector<int32_t> copy(classes.data(), classes.data() + classes.size());
            new (self) ClassLayer(std::move(name), std::move(copy), names);
          },
          nb::arg("name"), nb::arg("classes").noconvert(), nb::arg("names"))
      .def_static(
          "open",
          [](const std::string& path, bool verify) {
            return interruptible([&](const StopFlag& stop, Progress&) {
              return ClassLayer::open(path, verify, stop);
            });
          },
          nb::arg("path"), nb::arg("verify"))
      .def("save", &ClassLayer::save, nb::arg("path"), nb::call_guard<nb::gil_scoped_release>())
      .def_prop_ro("name", [](const ClassLayer& self) { return to_str(self.name()); })
      .def_prop_ro(
          "classes",
          [](nb::handle self) {
            return view_array(nb::cast<const ClassLayer&>(self).classes(), self);
          },
          "By word id.")
      .def_prop_ro(
          "names",
          [](const ClassLayer& self) {
            nb::typed<nb::list, nb::str> result;
            for (int32_t id = 0; id < self.size(); ++id) result.append(to_str(self.class_name(id)));
            return result;
          },
          "By class; the first is '-', for none.")
      .def("__len__", &ClassLayer::words, "The number of words it covers.")
      .def("__getitem__", &ClassLayer::class_of, nb::arg("word"), "The class of a word id.")
      .def(
          "class_name",
          [](const ClassLayer& self, int32_t id) { return to_str(self.class_name(id)); },
          nb::arg("id"))
      .def("__repr__", [](const ClassLayer& self) {
        return "ClassLayer(" + std::string(self.name()) + ": " + std::to_string(self.size() - 1) +
               " classes of " + std::to_string(self.words()) + " words)";
      });
}

}  // namespace demotic::python
