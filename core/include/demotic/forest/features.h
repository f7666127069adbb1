// Sparse feature vectors of edges: their scores under weights, their sums over derivations.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "demotic/base/csr.h"

namespace demotic::forest {

// One row per edge (or derivation): ascending ids with values. A view.
struct FeatureRows {
  CsrView<int32_t> ids;
  std::span<const double> values;

  size_t size() const noexcept { return ids.size(); }
};

// The owning version.
struct FeatureTable {
  Csr<int32_t> ids;
  std::vector<double> values;
};

// Throws std::invalid_argument unless offsets, ids and values are consistent.
void check_rows(const FeatureRows& rows);

// weights . features of every row. Throws ModelError for an id without a weight.
std::vector<double> row_scores(const FeatureRows& rows, std::span<const double> weights);

// The sum of the rows of `features` that each row of `derivations` lists (an edge listed twice
// counts twice), with ascending ids; ids whose values cancel are kept. Throws ModelError for an
// edge without a row.
FeatureTable sum_rows(const CsrView<int32_t>& derivations, const FeatureRows& features);

}  // namespace demotic::forest
