#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <algorithm>

#include "arrays.h"
#include "demotic/features/feature_ids.h"
#include "demotic/features/feature_values.h"
#include "demotic/features/stored_weights.h"
#include "interruptible.h"

namespace nb = nanobind;

namespace demotic::python {
using namespace all;
namespace {

using Keys = ArrayArgument<FeatureKey>;

void bind_table(nb::module_& m) {
  nb::class_<SparseTable, SparseWeights>(m, "SparseTable", "Sparse weights during training.")
      .def(nb::init<uint64_t>(), nb::arg("layout"))
      .def_static(
          "load",
          [](const std::string& path) {
            return interruptible(
                [&](const StopFlag& stop, Progress&) { return SparseTable::load(path, stop); });
          },
          nb::arg("path"))
      .def("save", &SparseTable::save, nb::arg("path"), nb::call_guard<nb::gil_scoped_release>())
      .def("__len__", &SparseTable::size)
      .def_prop_ro("size_bytes", &SparseTable::size_bytes)
      .def_prop_ro("layout", &SparseTable::layout)
      .def(
          "add",
          [](SparseTable& self, Keys keys, ArrayArgument<float> deltas, int64_t step) {
            if (keys.size() != deltas.size())
              throw std::invalid_argument(
                  "keys and deltas differ in length: " + std::to_string(keys.size()) + " and " +
                  std::to_string(deltas.size()));
            nb::gil_scoped_release release;
            self.add({keys.data(), keys.size()}, {deltas.data(), deltas.size()}, step);
          },
          nb::arg("keys").noconvert(), nb::arg("deltas").noconvert(), nb::arg("step"),
          "Adds to weights; `step` is the number of completed steps.")
      .def("averaged", &SparseTable::averaged, nb::arg("key"), nb::arg("steps"))
      .def(
          "arrays",
          [](const SparseTable& self, int64_t steps) {
            std::vector<std::pair<FeatureKey, float>> all;
            self.for_each([&](const SparseTable::Feature& one) {
              all.emplace_back(one.key, steps > 0 ? one.averaged(steps) : one.weight);
            });
            std::sort(all.begin(), all.end());
            std::vector<FeatureKey> keys;
            std::vector<float> weights;
            for (const auto& [key, weight] : all) {
              keys.push_back(key);
              weights.push_back(weight);
            }
            return nb::make_tuple(own_array(std::move(keys)), own_array(std::move(weights)));
          },
          nb::arg("steps"),
          nb::sig("def arrays(self, steps: int) -> tuple[NDArray[numpy.uint64], "
                  "NDArray[numpy.float32]]"),
          "Keys in order and their weights, averaged if steps is not 0.");
}

void bind_stored(nb::module_& m) {
  nb::class_<StoredSparseWeights, SparseWeights>(
      m, "StoredSparseWeights", "Sparse weights of a finished model, in a mapped file; immutable.")
      .def_static(
          "open",
          [](const std::string& path, bool verify) {
            return interruptible([&](const StopFlag& stop, Progress&) {
              return StoredSparseWeights::open(path, verify, stop);
            });
          },
          nb::arg("path"), nb::arg("verify"))
      .def("__len__", &StoredSparseWeights::size)
      .def_prop_ro("size_bytes", &StoredSparseWeights::size_bytes)
      .def_prop_ro("layout", &StoredSparseWeights::layout)
      .def(
          "arrays",
          [](const StoredSparseWeights& self) {
            auto all = self.arrays();
            return nb::make_tuple(own_array(std::move(all.keys)),
                                  own_array(std::move(all.weights)));
          },
          nb::sig("def arrays(self) -> tuple[NDArray[numpy.uint64], NDArray[numpy.float32]]"),
          "Keys in order and their weights.");
  m.def(
      "store_weights",
      [](const std::string& path, Keys keys, ArrayArgument<float> weights, uint64_t layout) {
        nb::gil_scoped_release release;
        store_weights(path, span_of(keys), span_of(weights), layout);
      },
      nb::arg("path"), nb::arg("keys").noconvert(), nb::arg("weights").noconvert(),
      nb::arg("layout"), "Writes a file for StoredSparseWeights, omitting zeros.");
  m.def(
      "store_table",
      [](const std::string& path, const SparseTable& table, int64_t steps) {
        nb::gil_scoped_release release;
        store_weights(path, table, steps);
      },
      nb::arg("path"), nb::arg("table"), nb::arg("steps"),
      "The same for a table: averaged over `steps` steps, or unaveraged if that is 0.");
}

void bind_ids(nb::module_& m) {
  nb::class_<FeatureIds>(m, "FeatureIds",
                         "Numbers sparse features in the order of their first appearance.")
      .def(nb::init<>())
      .def("__len__", &FeatureIds::size)
      .def(
          "keys",
          [](const FeatureIds& self) {
            return own_array(std::vector<FeatureKey>(self.keys().begin(), self.keys().end()));
          },
          nb::sig("def keys(self) -> NDArray[numpy.uint64]"), "All keys, by id.")
      .def(
          "add_rows",
          [](FeatureIds& self, ArrayArgument<int64_t> offsets, Keys keys) {
            const CsrView<FeatureKey> rows{span_of(offsets), span_of(keys)};
            if (!well_formed(rows)) throw std::invalid_argument("inconsistent offsets and keys");
            nb::gil_scoped_release release;
            std::vector<int32_t> ids = self.add_rows(rows);
            nb::gil_scoped_acquire acquire;
            return own_array(std::move(ids));
          },
          nb::arg("offsets").noconvert(), nb::arg("keys").noconvert(),
          nb::sig("def add_rows(self, offsets: NDArray[numpy.int64], keys: NDArray[numpy.uint64]) "
                  "-> NDArray[numpy.int32]"),
          "The ids of the keys, ascending within each row.")
      .def(
          "add_valued_rows",
          [](FeatureIds& self, ArrayArgument<int64_t> offsets, Keys keys,
             ArrayArgument<double> values) {
            const CsrView<FeatureKey> rows{span_of(offsets), span_of(keys)};
            if (!well_formed(rows) || values.size() != keys.size())
              throw std::invalid_argument("inconsistent offsets, keys and values");
            std::vector<double> sorted(values.data(), values.data() + values.size());
            nb::gil_scoped_release release;
            std::vector<int32_t> ids = self.add_rows(rows, sorted);
            nb::gil_scoped_acquire acquire;
            return nb::make_tuple(own_array(std::move(ids)), own_array(std::move(sorted)));
          },
          nb::arg("offsets").noconvert(), nb::arg("keys").noconvert(),
          nb::arg("values").noconvert(),
          nb::sig("def add_valued_rows(self, offsets: NDArray[numpy.int64], "
                  "keys: NDArray[numpy.uint64], values: NDArray[numpy.float64]) "
                  "-> tuple[NDArray[numpy.int32], NDArray[numpy.float64]]"),
          "The same, with the value of each key.");
}

}  // namespace

void bind_sparse_weights(nb::module_& m) {
  nb::class_<SparseWeights>(m, "SparseWeights")
      .def(
          "sum",
          [](const SparseWeights& self, Keys keys) {
            nb::gil_scoped_release release;
            return self.sum(span_of(keys));
          },
          nb::arg("keys").noconvert())
      .def("weight", &SparseWeights::weight, nb::arg("key"))
      .def(
          "weights_of",
          [](const SparseWeights& self, Keys keys) {
            std::vector<float> weights(keys.size());
            for (size_t i = 0; i < weights.size(); ++i) weights[i] = self.weight(keys.data()[i]);
            return own_array(std::move(weights));
          },
          nb::arg("keys").noconvert(),
          nb::sig("def weights_of(self, keys: NDArray[numpy.uint64]) -> NDArray[numpy.float32]"),
          "The weight of each key; 0 if it has none.");
  bind_ids(m);
  bind_table(m);
  bind_stored(m);
  nb::class_<Sparse>(m, "Sparse", "The sparse features of a model and their weights.")
      .def(nb::init<>())
      .def(
          "__init__",
          [](Sparse* self, std::shared_ptr<const SparseFeatures> features,
             std::shared_ptr<const SparseWeights> weights) {
            new (self) Sparse(sparse_of(std::move(features), std::move(weights)));
          },
          nb::arg("features"), nb::arg("weights"));
}

}  // namespace demotic::python
