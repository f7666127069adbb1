// Binds option structs with all their fields. demotic/native_options.py fills them from Python and
// refuses unknown and missing fields.
#pragma once

#include <nanobind/nanobind.h>

#include <cstddef>
#include <utility>

namespace demotic::python {

// Converts to the type of any field; used only to count fields.
struct AnyField {
  template <typename T>
  operator T() const;  // implicit and never defined
};

// The number of fields of an aggregate: the number of values it can be initialised with.
template <typename Struct, typename... Given>
consteval size_t field_count() {
  if constexpr (requires { Struct{Given{}..., AnyField{}}; })
    return field_count<Struct, Given..., AnyField>();
  else
    return sizeof...(Given);
}

// Each field is a pair of its name and its member pointer. Does not compile if a field is missing,
// except for `kUnbound` fields that are set in other ways.
template <typename Struct, size_t kUnbound = 0, typename... Fields>
nanobind::class_<Struct> bind_struct(nanobind::module_& m, const char* name,
                                     std::pair<const char*, Fields Struct::*>... fields) {
  static_assert(sizeof...(Fields) + kUnbound == field_count<Struct>(),
                "every field has to be bound");
  nanobind::class_<Struct> bound(m, name);
  bound.def(nanobind::init<>());
  (bound.def_rw(fields.first, fields.second), ...);
  return bound;
}

}  // namespace demotic::python
