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

}  // namespace

void bind_candidates(nb::module_& m) {
  bind_struct<KBestOptions>(m, "KBestOptions", std::pair{"k", &KBestOptions::k},
                            std::pair{"distinct", &KBestOptions::distinct},
                            std::pair{"max_examined", &KBestOptions::max_examined});
  bind_struct<BinOptions>(m, "BinOptions", std::pair{"potential", &BinOptions::potential},
                          std::pair{"future_features", &BinOptions::future_features});
  nb::class_<SearchedCandidates>(m, "SearchedCandidates",
                                 "Candidate lists of a search in flat arrays.")
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
