// Native errors become the Python classes of demotic.errors, with their fields.
#pragma once

#include <nanobind/nanobind.h>

namespace demotic::python {
void bind_errors(nanobind::module_& m);
}
