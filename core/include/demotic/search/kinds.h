// The two search kinds and their parts. Code written for a `Kind` works for both: batch calls,
// candidate lists, training, bindings.
#pragma once

#include "demotic/search/hiero_steps.h"
#include "demotic/search/phrase_steps.h"

namespace demotic::search {

class PhrasePotential;
class HieroPotential;

struct PhraseKind {
  using Model = PhraseModel;
  using Limits = PhraseSearchOptions;
  using TranslationOptions = PhraseTranslationOptions;
  using Search = PhraseSearch;
  using Steps = PhraseSteps;
  using Potential = PhrasePotential;
};

struct HieroKind {
  using Model = HieroModel;
  using Limits = HieroSearchOptions;
  using TranslationOptions = HieroTranslationOptions;
  using Search = HieroSearch;
  using Steps = HieroSteps;
  using Potential = HieroPotential;
};

}  // namespace demotic::search
