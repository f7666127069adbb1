#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include "demotic/base/errors.h"
#include "errors.h"

namespace nb = nanobind;

namespace demotic::python {
using namespace all;
namespace {

void raise(const char* type, const Fault& fault, int code = 0) {
  nb::object cls = nb::module_::import_("demotic.errors").attr(type);
  nb::dict fields;
  fields["path"] = fault.path;
  fields["line"] = fault.line;
  fields["found"] = fault.found;
  fields["expected"] = fault.expected;
  fields["advice"] = fault.advice;
  if (code != 0) fields["errno"] = code;
  nb::object error = cls(**fields);
  PyErr_SetObject(cls.ptr(), error.ptr());
}

void translate(const std::exception_ptr& pointer, void*) {
  try {
    std::rethrow_exception(pointer);
  } catch (const FormatError& error) {
    raise("FormatError", error.fault());
  } catch (const ModelError& error) {
    raise("ModelError", error.fault());
  } catch (const IoError& error) {
    raise("IoError", error.fault(), error.code());
  } catch (const Error& error) {
    raise("Error", error.fault());
  } catch (const Interrupted&) {
    PyErr_SetNone(PyExc_KeyboardInterrupt);
  }
}

}  // namespace

void bind_errors(nb::module_&) { nb::register_exception_translator(translate); }

}  // namespace demotic::python
