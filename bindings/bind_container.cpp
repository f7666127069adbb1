#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>

#include "demotic/base/checksum.h"
#include "demotic/base/container.h"
#include "interruptible.h"

namespace nb = nanobind;

namespace demotic::python {
using namespace all;

// Python only inspects and tests containers; their contents are read by the classes they belong to.
void bind_container(nb::module_& m) {
  m.attr("CONTAINER_VERSION") = kContainerVersion;
  m.def(
      "crc32c",
      [](const nb::bytes& bytes) {
        const std::span data(static_cast<const std::byte*>(bytes.data()), bytes.size());
        nb::gil_scoped_release release;
        return crc32c(data);
      },
      nb::arg("data"), "The checksum of containers.");

  nb::class_<Container>(m, "Container", "A file of named, checksummed arrays, mapped for reading.")
      .def(nb::init<const std::string&, std::string_view, uint32_t>(), nb::arg("path"),
           nb::arg("kind"), nb::arg("kind_version"))
      .def("verify",
           [](const Container& self) {
             interruptible([&](const StopFlag& stop, Progress&) { self.verify(stop); });
           })
      .def_prop_ro("path", &Container::path)
      .def_prop_ro("size_bytes", &Container::size_bytes)
      .def_prop_ro(
          "sections",
          [](const Container& self) {
            nb::typed<nb::dict, nb::str, nb::int_> result;
            for (const ContainerSection& section : self.sections()) {
              const std::string_view label = section.label();
              result[nb::str(label.data(), label.size())] = section.size;
            }
            return result;
          },
          "Bytes by section name.")
      .def(
          "section",
          [](const Container& self, std::string_view name) {
            const auto bytes = self.section<char>(name);
            return nb::bytes(bytes.data(), bytes.size());
          },
          nb::arg("name"), "A copy of a section of single bytes.");

  nb::class_<ContainerWriter>(m, "ContainerWriter",
                              "Writes a container; without commit, nothing is left.")
      .def(nb::init<std::string, std::string_view, uint32_t>(), nb::arg("path"), nb::arg("kind"),
           nb::arg("kind_version"))
      .def(
          "begin_section",
          [](ContainerWriter& self, std::string_view name) { self.begin_section(name, 1); },
          nb::arg("name"))
      .def(
          "append",
          [](ContainerWriter& self, const nb::bytes& bytes) {
            self.append(std::span(static_cast<const char*>(bytes.data()), bytes.size()));
          },
          nb::arg("data"))
      .def("commit", &ContainerWriter::commit);
}

}  // namespace demotic::python
