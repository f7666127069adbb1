// A part of a text as an argument: a pair (begin, end) of numbers of sentences, or None for all.
#pragma once

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>

#include <optional>
#include <stdexcept>
#include <utility>

#include "demotic/search/search_model.h"

namespace demotic::python {
using namespace all;

using Part = std::optional<std::pair<int64_t, int64_t>>;

inline SentenceRange range_of(const SourceSentences& source, const Part& part) {
  if (!part) return source;
  const auto [begin, end] = *part;
  if (begin < 0 || begin > end || end > static_cast<int64_t>(source.size()))
    throw std::out_of_range("no such part of the sentences");
  return {source, begin, end};
}

}  // namespace demotic::python
