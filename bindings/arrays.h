// NumPy arrays that cross the language boundary without copies.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <span>
#include <utility>
#include <vector>

namespace demotic::python {

template <typename T>
using ReadOnlyArray = nanobind::ndarray<nanobind::numpy, const T, nanobind::ndim<1>>;

// A read-only array; `.noconvert()` at the argument refuses other types instead of copying.
template <typename T>
using ArrayArgument =
    nanobind::ndarray<const T, nanobind::ndim<1>, nanobind::c_contig, nanobind::device::cpu>;

template <typename T>
std::span<const T> span_of(const ArrayArgument<T>& array) {
  return {array.data(), array.size()};
}

// A read-only view of memory that `owner` (a Python object) keeps alive.
template <typename T>
ReadOnlyArray<T> view_array(std::span<const T> values, nanobind::handle owner) {
  return ReadOnlyArray<T>(values.data(), {values.size()}, owner);
}

// An array that takes over the memory of a vector.
template <typename T, typename Allocator>
nanobind::ndarray<nanobind::numpy, T, nanobind::ndim<1>> own_array(
    std::vector<T, Allocator>&& values) {
  using Held = std::vector<T, Allocator>;
  auto* held = new Held(std::move(values));
  nanobind::capsule owner(held, [](void* p) noexcept { delete static_cast<Held*>(p); });
  return {held->data(), {held->size()}, owner};
}

}  // namespace demotic::python
