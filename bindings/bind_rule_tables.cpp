#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include "demotic/rules/rule_table.h"
#include "demotic/rules/rule_table_print.h"
#include "interruptible.h"

namespace nb = nanobind;

namespace demotic::python {
using namespace all;
namespace {

void bind_reading(nb::module_& m) {
  nb::class_<TableReport>(m, "TableReport", "A report about the lines of rule tables.")
      .def_ro("rules", &TableReport::rules)
      .def_ro("replaced", &TableReport::replaced)
      .def_ro("properties", &TableReport::properties)
      .def_ro("capped", &TableReport::capped)
      .def_ro("unused", &TableReport::unused)
      .def_ro("missing", &TableReport::missing);

  nb::class_<RuleTable>(m, "RuleTable", "Rules read from text tables, to be written as a store.")
      .def(nb::init<VocabularyBuilder&>(), nb::arg("vocabulary"), nb::keep_alive<1, 2>())
      .def("__len__", &RuleTable::size)
      .def_prop_ro("columns", &RuleTable::columns)
      .def(
          "add_column", [](RuleTable& self, const std::string& name) { self.column(name); },
          nb::arg("name"), "Reserves a column before any rule has it.")
      .def(
          "write",
          [](RuleTable& self, const std::string& path, Duplicates duplicates,
             const ProgressCallback& progress) {
            return interruptible(
                [&](const StopFlag& stop, Progress& counter) {
                  return self.write(path, duplicates, stop, counter);
                },
                progress);
          },
          nb::arg("path"), nb::arg("duplicates"), nb::arg("progress").none());

  nb::class_<TableReader>(m, "TableReader", "Reads the lines of one table, in pieces.")
      .def(
          "add",
          [](TableReader& self, const Lines& lines) {
            interruptible([&](const StopFlag& stop, Progress&) { self.add(lines, stop); });
          },
          nb::arg("lines"));

  m.def("read_table", &read_table, nb::arg("table"), nb::arg("format"), nb::arg("name"),
        nb::arg("prefix"), nb::arg("scores"), nb::keep_alive<0, 1>());
  m.def("read_reordering", &read_reordering, nb::arg("table"), nb::arg("name"), nb::arg("columns"),
        nb::arg("missing"), nb::keep_alive<0, 1>());
}

}  // namespace

void bind_rule_tables(nb::module_& m) {
  nb::enum_<TableFormat>(m, "TableFormat", "The format of a line.")
      .value("moses_phrases", TableFormat::kMosesPhrases)
      .value("moses_hiero", TableFormat::kMosesHiero)
      .value("scfg", TableFormat::kScfg);
  nb::enum_<Duplicates>(m, "Duplicates", "What to do if a rule is on two lines.")
      .value("refuse", Duplicates::kRefuse)
      .value("last", Duplicates::kKeepLast);
  bind_reading(m);

  nb::class_<TablePrinter>(m, "TablePrinter", "Prints the rules of a store as text, in pieces.")
      .def(
          "__init__",
          [](TablePrinter* self, const RuleStore& store, const Vocabulary& vocabulary,
             TableFormat format, std::vector<int32_t> columns, bool sides_and_scores,
             std::string constant) {
            new (self)
                TablePrinter(store, vocabulary,
                             {format, std::move(columns), sides_and_scores, std::move(constant)});
          },
          nb::arg("store"), nb::arg("vocabulary"), nb::arg("format"), nb::arg("columns"),
          nb::arg("sides_and_scores"), nb::arg("constant"), nb::keep_alive<1, 2>(),
          nb::keep_alive<1, 3>())
      .def("next",
           [](TablePrinter& self) {
             return interruptible([&](const StopFlag& stop, Progress&) { return self.next(stop); });
           })
      .def_prop_ro("printed", &TablePrinter::printed, "Number of rules printed so far.");
}

}  // namespace demotic::python
