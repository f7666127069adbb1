#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <memory>

#include "demotic/base/errors.h"
#include "demotic/features/own_features.h"

namespace nb = nanobind;

namespace demotic::python {
using namespace all;
namespace {

// Calls a Python function; whatever it raises becomes an error with the names of the function, the
// rule and the exception.
OwnNames called(const nb::object& function, const std::string& name, const AppliedRule& use) {
  const nb::gil_scoped_acquire gil;
  try {
    auto [names, values] = nb::cast<std::pair<std::vector<std::string>, std::vector<double>>>(
        function(use.source, use.target, use.links, use.sentence, use.begin, use.end, use.tags,
                 use.constituents));
    return {std::move(names), std::move(values)};
  } catch (const nb::python_error& error) {
    const auto joined = [](const std::vector<std::string>& words) {
      std::string text;
      for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
      return text;
    };
    const auto kind = nb::cast<std::string>(error.type().attr("__name__"));
    throw ModelError(
        {.found = name + " failed for the rule " + joined(use.source) + " -> " +
                  joined(use.target) + ": " + kind + ": " +
                  nb::cast<std::string>(nb::str(error.value())),
         .expected = "a function that yields names of features, or pairs of a name and a value"});
  }
}

// A Python object that may be dropped by any thread. One that outlives the interpreter, such as the
// loader, is left to the end of the process.
std::shared_ptr<nb::object> shared(nb::object made) {
  return {new nb::object(std::move(made)), [](nb::object* one) {
            if (!Py_IsInitialized()) return;
            const nb::gil_scoped_acquire gil;
            delete one;
          }};
}

}  // namespace

void bind_own_features(nb::module_& m) {
  m.def(
      "set_own_loader",
      [](nb::object loader) {
        const auto kept = shared(std::move(loader));
        set_own_loader([kept](const std::string& name, const std::string& code) -> OwnFunction {
          const nb::gil_scoped_acquire gil;
          const auto function = shared((*kept)(name, code));
          return [function, name](const AppliedRule& use) { return called(*function, name, use); };
        });
      },
      nb::arg("loader"), "Sets how functions of the user's own features are found.");
}

}  // namespace demotic::python
