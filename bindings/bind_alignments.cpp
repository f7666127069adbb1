#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include "demotic/align/alignments.h"

namespace nb = nanobind;
namespace demotic {
void bind_alignments(nb::module_& m) {
  nb::class_<Alignments>(m, "Alignments").def("__len__", &Alignments::size);
  m.def("parse_links", &parse_links, nb::arg("lines"), nb::arg("name"));
}
}  // namespace demotic
