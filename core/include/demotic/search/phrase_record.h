// The record of a phrase search. The empty hypothesis is no node: phrases that follow it have no
// tail.
#pragma once

#include <span>

#include "demotic/search/phrase_search.h"
#include "demotic/search/search_record.h"

namespace demotic::search {

// `monotone`: with the best monotone translation of every span.
SearchRecord record_of(const PhraseModel& model, PhraseSearch& search,
                       std::span<const WordId> source, RecordKind kind, bool monotone);

}  // namespace demotic::search
