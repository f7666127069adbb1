// The formula of a metric, given by Python: a native one, or a function that scores rows of sums.
#pragma once

#include <nanobind/nanobind.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "arrays.h"
#include "demotic/metrics/metric_form.h"

namespace demotic::python {
using namespace all;

// Keeps the function alive. Native threads call it with the GIL.
class HeldForm {
 public:
  explicit HeldForm(const MetricForm& form) : form_(form) {
    const auto good = [](double value) { return value > 0 && std::isfinite(value); };
    if (!good(form.length_scale) || !good(form.ter_length_scale) || !good(form.beta) ||
        !good(form.list_length))
      throw std::invalid_argument("the scales of a metric must be positive numbers");
  }

  // scores(sums) -> one score per row, higher is better; rows lie one after the other, each as long
  // as `background`.
  HeldForm(nanobind::callable scores, std::span<const double> background, double list_length)
      : HeldForm(MetricForm{.kind = MetricKind::rows,
                            .list_length = list_length,
                            .columns = static_cast<int32_t>(background.size())}) {
    if (background.empty()) throw std::invalid_argument("the metric has no statistics");
    background_.assign(background.begin(), background.end());
    rows_ = [scores = std::move(scores)](std::span<const double> sums, std::span<double> out) {
      const nanobind::gil_scoped_acquire gil;
      const nanobind::object found =
          scores(nanobind::cast(own_array(std::vector<double>(sums.begin(), sums.end()))));
      ArrayArgument<double> array;
      if (!nanobind::try_cast(found, array) || array.size() != out.size())
        throw std::invalid_argument("expected " + std::to_string(out.size()) +
                                    " scores from the metric, one per row of sums");
      std::copy_n(array.data(), out.size(), out.begin());
    };
  }

  // Valid as long as this object.
  MetricForm form() const {
    MetricForm form = form_;
    form.background = background_;
    if (form.kind == MetricKind::rows) form.score_rows = &rows_;
    return form;
  }

 private:
  MetricForm form_;
  ScoreRows rows_;
  std::vector<double> background_;
};

}  // namespace demotic::python
