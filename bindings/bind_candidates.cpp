#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "arrays.h"
#include "demotic/search/candidates.h"
#include "options.h"

namespace nb = nanobind;

namespace demotic::python {
using namespace all;
namespace {

template <auto Member>
auto candidates_column() {
  return [](nb::handle self) {
    return view_array(std::span(nb::cast<const SearchedCandidates&>(self).*Member), self);
  };
}

template <auto Member>
auto row_offsets() {
  return [](nb::handle self) {
    return view_array(std::span((nb::cast<const SearchedCandidates&>(self).*Member).offsets), self);
  };
}

template <auto Member>
auto row_values() {
  return [](nb::handle self) {
    return view_array(std::span((nb::cast<const SearchedCandidates&>(self).*Member).values), self);
  };
}

template <typename T>
std::vector<T> copied(const ArrayArgument<T>& array) {
  return {array.data(), array.data() + array.size()};
}

template <typename T>
Csr<T> copied_rows(const ArrayArgument<int64_t>& offsets, const ArrayArgument<T>& values) {
  Csr<T> rows{copied(offsets), copied(values)};
  if (!well_formed(rows.view())) throw std::invalid_argument("offsets that do not fit the values");
  return rows;
}

SearchedCandidates candidates_of(
    const ArrayArgument<int64_t>& offsets, const ArrayArgument<int32_t>& sentence,
    const ArrayArgument<int32_t>& bin, const ArrayArgument<int32_t>& covered,
    const ArrayArgument<double>& features, const ArrayArgument<double>& scores,
    const ArrayArgument<int64_t>& word_offsets, const ArrayArgument<int32_t>& words,
    const ArrayArgument<int64_t>& part_offsets, const ArrayArgument<int32_t>& parts,
    const ArrayArgument<int64_t>& key_offsets, const ArrayArgument<FeatureKey>& keys,
    const ArrayArgument<double>& key_values) {
  return {.offsets = copied(offsets),
          .sentence = copied(sentence),
          .bin = copied(bin),
          .covered = copied(covered),
          .words = copied_rows(word_offsets, words),
          .features = copied(features),
          .scores = copied(scores),
          .parts = copied_rows(part_offsets, parts),
          .part_keys = copied_rows(key_offsets, keys),
          .part_values = copied(key_values)};
}

}  // namespace

void bind_candidates(nb::module_& m) {
  bind_struct<KBestOptions>(m, "KBestOptions", std::pair{"k", &KBestOptions::k},
                            std::pair{"distinct", &KBestOptions::distinct},
                            std::pair{"max_examined", &KBestOptions::max_examined});
  bind_struct<BinOptions>(m, "BinOptions", std::pair{"potential", &BinOptions::potential},
                          std::pair{"future_features", &BinOptions::future_features});
  nb::class_<SearchedCandidates>(m, "SearchedCandidates",
                                 "Candidate lists of a search in flat arrays.")
      .def_static("of", &candidates_of, nb::arg("offsets"), nb::arg("sentence"), nb::arg("bin"),
                  nb::arg("covered"), nb::arg("features"), nb::arg("scores"),
                  nb::arg("word_offsets"), nb::arg("words"), nb::arg("part_offsets"),
                  nb::arg("parts"), nb::arg("key_offsets"), nb::arg("keys"), nb::arg("key_values"),
                  "The same lists from copies of their arrays.")
      .def(
          "append",
          [](SearchedCandidates& self, const SearchedCandidates& more) { append(self, more); },
          nb::arg("more"), "Appends the lists of a later part of the text.")
      .def_prop_ro("offsets", candidates_column<&SearchedCandidates::offsets>())
      .def_prop_ro("sentence", candidates_column<&SearchedCandidates::sentence>())
      .def_prop_ro("bin", candidates_column<&SearchedCandidates::bin>())
      .def_prop_ro("covered", candidates_column<&SearchedCandidates::covered>())
      .def_prop_ro("features", candidates_column<&SearchedCandidates::features>())
      .def_prop_ro("scores", candidates_column<&SearchedCandidates::scores>())
      .def_prop_ro("word_offsets", row_offsets<&SearchedCandidates::words>())
      .def_prop_ro("words", row_values<&SearchedCandidates::words>())
      .def_prop_ro("part_offsets", row_offsets<&SearchedCandidates::parts>())
      .def_prop_ro("parts", row_values<&SearchedCandidates::parts>())
      .def_prop_ro("key_offsets", row_offsets<&SearchedCandidates::part_keys>())
      .def_prop_ro("keys", row_values<&SearchedCandidates::part_keys>())
      .def_prop_ro("key_values", candidates_column<&SearchedCandidates::part_values>())
      .def("texts", &texts, nb::arg("source"), "The words of each candidate, joined by spaces.")
      .def(
          "hashes", [](const SearchedCandidates& self) { return own_array(hashes(self)); },
          "One hash per candidate of its words.");
}

}  // namespace demotic::python
