#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include "arrays.h"
#include "demotic/base/hash.h"
#include "demotic/base/lines.h"
#include "demotic/base/number_rows.h"

namespace nb = nanobind;

namespace demotic::python {
using namespace all;
namespace {

nb::str to_str(std::string_view text) { return nb::str(text.data(), text.size()); }

size_t checked_index(const Lines& lines, int64_t index) {
  const auto size = static_cast<int64_t>(lines.size());
  if (index < 0) index += size;
  if (index < 0 || index >= size) throw std::out_of_range("no such line");
  return static_cast<size_t>(index);
}

std::string_view as_view(const nb::bytes& bytes) {
  return {static_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace

void bind_lines(nb::module_& m) {
  nb::enum_<EncodingErrors>(m, "EncodingErrors", "What to do with malformed UTF-8.")
      .value("refuse", EncodingErrors::kRefuse)
      .value("replace", EncodingErrors::kReplace)
      .value("skip", EncodingErrors::kSkip);

  nb::class_<LineNotices>(m, "LineNotices", "Numbers of repaired lines by kind of repair.")
      .def(nb::init<>())
      .def(
          "__add__", [](const LineNotices& self, const LineNotices& other) { return self + other; },
          nb::arg("other"))
      .def_ro("byte_order_marks", &LineNotices::byte_order_marks)
      .def_ro("carriage_returns", &LineNotices::carriage_returns)
      .def_ro("controls", &LineNotices::controls)
      .def_ro("replaced", &LineNotices::replaced)
      .def_ro("skipped", &LineNotices::skipped);

  nb::class_<Lines>(m, "Lines", "Lines of clean UTF-8 text in one flat string.")
      .def(nb::init<>())
      .def("append", &Lines::append, nb::arg("line"))
      .def(
          "extend",
          [](Lines& self, const Lines& other) {
            const size_t count = other.size();  // grows below if `other` is `self`
            for (size_t i = 0; i < count; ++i) self.append(other[i]);
          },
          nb::arg("other"))
      .def("__len__", &Lines::size)
      .def(
          "__getitem__",
          [](const Lines& self, int64_t index) { return to_str(self[checked_index(self, index)]); },
          nb::arg("index"))
      .def("tolist",
           [](const Lines& self) {
             nb::typed<nb::list, nb::str> result;
             for (size_t i = 0; i < self.size(); ++i) result.append(to_str(self[i]));
             return result;
           })
      .def(
          "slice",
          [](const Lines& self, size_t begin, size_t end) {
            if (begin > end || end > self.size()) throw std::out_of_range("no such lines");
            Lines result;
            for (size_t i = begin; i < end; ++i) result.append(self[i]);
            return result;
          },
          nb::arg("begin"), nb::arg("end"), "A copy of some lines.")
      .def(
          "digest",
          [](const Lines& self, uint64_t seed) {
            for (size_t i = 0; i < self.size(); ++i) seed = mix64(seed ^ hash_bytes(self[i]));
            return seed;
          },
          nb::arg("seed"),
          "A hash of all lines, chained: the digest of a text does not depend on its division.")
      .def(
          "numbers",
          [](const Lines& self, size_t begin, size_t end, size_t width) {
            if (begin > end || end > self.size()) throw std::out_of_range("no such lines");
            std::vector<double> values;
            {
              nb::gil_scoped_release release;
              values.reserve((end - begin) * width);
              parse_number_rows(self, begin, end, width, values);
            }
            return own_array(std::move(values));
          },
          nb::arg("begin"), nb::arg("end"), nb::arg("width"),
          "The numbers of lines of `width` numbers each, up to the first line that is not one.")
      .def_prop_ro("byte_size", [](const Lines& self) { return self.bytes.size(); });

  nb::class_<LineParser>(m, "LineParser", "Turns bytes in chunks of any size into clean lines.")
      .def(
          "__init__",
          [](LineParser* self, std::string name, EncodingErrors encoding_errors, bool keep_tabs) {
            new (self) LineParser(std::move(name), {encoding_errors, keep_tabs});
          },
          nb::arg("name"), nb::arg("encoding_errors"), nb::arg("keep_tabs"))
      .def(
          "feed",
          [](LineParser& self, const nb::bytes& chunk) {
            const std::string_view view = as_view(chunk);
            nb::gil_scoped_release release;
            self.feed(view);
          },
          nb::arg("chunk"))
      .def("finish", &LineParser::finish)
      .def("take", &LineParser::take)
      .def_prop_ro("notices", &LineParser::notices)
      .def_prop_ro("lines_seen", &LineParser::lines_seen);
}

}  // namespace demotic::python
