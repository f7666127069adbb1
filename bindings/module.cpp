#include <nanobind/nanobind.h>

#include "errors.h"

namespace nb = nanobind;

namespace demotic {
void bind_lines(nb::module_& m);
void bind_container(nb::module_& m);
void bind_corpus(nb::module_& m);
void bind_classes(nb::module_& m);
void bind_segmenter(nb::module_& m);
void bind_align(nb::module_& m);
void bind_rules(nb::module_& m);
void bind_rule_tables(nb::module_& m);
void bind_lm(nb::module_& m);
void bind_candidates(nb::module_& m);
void bind_features(nb::module_& m);
void bind_sparse_weights(nb::module_& m);
void bind_search(nb::module_& m);
void bind_force(nb::module_& m);
void bind_hiero_force(nb::module_& m);
void bind_forest(nb::module_& m);
void bind_metrics(nb::module_& m);
void bind_learn(nb::module_& m);
void bind_forest_learn(nb::module_& m);
void bind_train(nb::module_& m);
}  // namespace demotic

NB_MODULE(_core, m) {
  m.doc() = "The native core of Demotic. Private: import from `demotic`.";
  // What a script's global variables hold is still there when nanobind looks for leaks.
  nb::set_leak_warnings(false);
  demotic::bind_errors(m);
  demotic::bind_lines(m);
  demotic::bind_container(m);
  demotic::bind_corpus(m);
  demotic::bind_classes(m);
  demotic::bind_segmenter(m);
  demotic::bind_align(m);
  demotic::bind_rules(m);
  demotic::bind_rule_tables(m);
  demotic::bind_lm(m);
  demotic::bind_candidates(m);
  demotic::bind_features(m);
  demotic::bind_sparse_weights(m);
  demotic::bind_search(m);
  demotic::bind_force(m);
  demotic::bind_hiero_force(m);
  demotic::bind_forest(m);
  demotic::bind_metrics(m);
  demotic::bind_learn(m);
  demotic::bind_forest_learn(m);
  demotic::bind_train(m);
}
