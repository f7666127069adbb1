// The gain of a candidate in the context of a background: a decaying sum of the statistics of
// earlier choices (Chiang, Marton & Resnik 2008, section 2.2).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "demotic/learn/candidates.h"
#include "demotic/metrics/metric_form.h"

namespace demotic::learn {

// How the metric score of background plus candidate becomes the gain of the candidate.
enum class GainScale {
  corpus,    // unscaled: differences shrink as the background grows
  sentence,  // rescaled to one sentence: differences as without a background, in [0, 1]
  length,    // times the reference length of both: differences in words
};
// With several references the candidates of a list may differ in reference length; the length of
// the list is then the mean over its distinct statistics. For metrics whose statistics do not
// include the reference length, every list counts as one of average length
// (MetricForm::list_length).

class Background {
 public:
  // For metrics with a reference length, all counts and the length start at 1, so that no precision
  // is 0. Other metrics start with the background of the form, or with zeros.
  Background(MetricForm form, int32_t statistics, double decay);

  // Fills in the gain of each candidate of a list, which must not be empty.
  void gains(const CandidateLists& lists, int64_t list, GainScale scale, double* out);

  // Adds the choice from a list: the background decays by the share of a list that the list's
  // weight is, so that n lists of weight 1 / n count as one list.
  void add(const CandidateLists& lists, int64_t list, int32_t candidate);

 private:
  double factor(const CandidateLists& lists, int64_t list, GainScale scale) const;
  void score_in_context(const CandidateLists& lists, int64_t list);

  MetricForm form_;
  double decay_;
  double weight_ = 1, weight_decay_;  // the last weight of a list, and decay_ to the power of it
  std::vector<double> sums_;
  double lists_ = 0;                    // number of lists added, decayed like the sums
  std::vector<double> distinct_gains_;  // gains of the distinct statistics of the current list
  std::vector<double> rows_;            // background plus each distinct row of statistics
};

}  // namespace demotic::learn
