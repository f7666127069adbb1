// Linear interpolation of two models into one, over the union of their n-grams, as SRILM's static
// -mix-lm does it: p(w | h) = weight * p_first(w | h) + (1 - weight) * p_second(w | h) for every
// n-gram of either, with backoff weights that normalise every context.
//
// A word known to only one of the models has probability zero in the other, whose <unk> mass stays
// with <unk>, so nothing is counted twice.
#pragma once

#include "demotic/base/stop.h"
#include "demotic/lm/language_model.h"

namespace demotic::lm {

// `weight` of the first model, between 0 and 1.
NgramModel mix(const LanguageModel& first, const LanguageModel& second, double weight,
               const StopFlag& stop);

}  // namespace demotic::lm
