// The candidates that learners compare, and the gain of a candidate in the context of a background:
// the decaying sum of statistics of what was chosen before (Chiang, Marton & Resnik 2008, 2.2).
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "demotic/learn/candidates.h"
#include "demotic/metrics/metric_form.h"

namespace demotic::learn {

// Places in a list; of equals the first.
struct Rivals {
  int32_t hope = 0;   // highest score + gain
  int32_t fear = 0;   // highest score - gain
  int32_t best = 0;   // highest score
  int32_t worst = 0;  // lowest score
};

Rivals choose(std::span<const double> scores, std::span<const double> gains);

// How the metric of the background together with a candidate becomes the candidate's gain.
enum class GainScale {
  corpus,    // as it is: differences shrink as the background grows
  sentence,  // differences as large as if the sentence stood alone: in [0, 1]
  length,    // times the reference length of both: differences in words
};
// Where candidates of a list have different reference lengths, which happens with several
// references, a list's length is the mean over its different statistics. Where statistics do not
// hold the reference length, every list counts as one of average length (MetricForm::list_length).

class Background {
 public:
  // Of metrics with a reference length, counts start at 1, so that no precision is 0, and so does
  // the length. Others start with the background of the form, or with nothing.
  Background(MetricForm form, int32_t statistics, double decay)
      : form_(form), decay_(decay), sums_(statistics, form.has_length() ? 1.0 : 0.0) {
    if (form.has_length()) sums_.back() = form.length_scale;
    std::ranges::copy(form.background, sums_.begin());
    if (form.kind == MetricKind::ter_bleu) sums_[kTerColumns - 1] = form.ter_length_scale;
  }

  // Of every candidate of a list, at least one.
  void gains(const CandidateLists& lists, int64_t list, GainScale scale, double* out);

  void add(const int32_t* statistics) {
    for (size_t k = 0; k < sums_.size(); ++k) sums_[k] = decay_ * (sums_[k] + statistics[k]);
    lists_ = decay_ * (lists_ + 1);
  }

 private:
  double factor(const CandidateLists& lists, int64_t list, GainScale scale) const;
  void score_in_context(const CandidateLists& lists, std::span<const int64_t> candidates);

  MetricForm form_;
  double decay_;
  std::vector<double> sums_;
  double lists_ = 0;              // that were added, decayed as the sums are
  std::vector<double> of_kinds_;  // gains of the current list
  std::vector<double> rows_;      // sums of the background with each of its kinds
};

}  // namespace demotic::learn
