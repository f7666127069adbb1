#include <nanobind/nanobind.h>

#include "errors.h"

namespace nb = nanobind;

namespace demotic::python {
void bind_lines(nb::module_& m);
void bind_container(nb::module_& m);
void bind_corpus(nb::module_& m);
void bind_classes(nb::module_& m);
void bind_segmenter(nb::module_& m);
void bind_align(nb::module_& m);
void bind_align_stream(nb::module_& m);
void bind_rules(nb::module_& m);
void bind_rule_tables(nb::module_& m);
void bind_lm(nb::module_& m);
void bind_candidates(nb::module_& m);
void bind_features(nb::module_& m);
void bind_own_features(nb::module_& m);
void bind_sparse_weights(nb::module_& m);
void bind_job_queue(nb::module_& m);
void bind_search(nb::module_& m);
void bind_force(nb::module_& m);
void bind_forest(nb::module_& m);
void bind_decision(nb::module_& m);
void bind_metrics(nb::module_& m);
void bind_learn(nb::module_& m);
void bind_forest_learn(nb::module_& m);
void bind_train(nb::module_& m);
void bind_workers(nb::module_& m);
}  // namespace demotic::python

NB_MODULE(_core, m) {
  m.doc() = "The native core of Demotic. Private: import from `demotic`.";
  // Nanobind would report global variables of a script, which are still alive at exit, as leaks.
  nb::set_leak_warnings(false);
  demotic::python::bind_errors(m);
  demotic::python::bind_lines(m);
  demotic::python::bind_container(m);
  demotic::python::bind_corpus(m);
  demotic::python::bind_classes(m);
  demotic::python::bind_segmenter(m);
  demotic::python::bind_align(m);
  demotic::python::bind_align_stream(m);
  demotic::python::bind_rules(m);
  demotic::python::bind_rule_tables(m);
  demotic::python::bind_lm(m);
  demotic::python::bind_candidates(m);
  demotic::python::bind_features(m);
  demotic::python::bind_own_features(m);
  demotic::python::bind_sparse_weights(m);
  demotic::python::bind_job_queue(m);
  demotic::python::bind_search(m);
  demotic::python::bind_force(m);
  demotic::python::bind_forest(m);
  demotic::python::bind_decision(m);
  demotic::python::bind_metrics(m);
  demotic::python::bind_learn(m);
  demotic::python::bind_forest_learn(m);
  demotic::python::bind_train(m);
  demotic::python::bind_workers(m);
}
