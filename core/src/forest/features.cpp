#include "demotic/forest/features.h"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "demotic/base/errors.h"
#include "demotic/base/flat_map.h"

namespace demotic::forest {

void check_rows(const FeatureRows& rows) {
  if (!well_formed(rows.ids) || rows.ids.values.size() != rows.values.size())
    throw std::invalid_argument("inconsistent offsets, ids and values of features");
}

std::vector<double> row_scores(const FeatureRows& rows, std::span<const double> weights) {
  std::vector<double> scores(rows.size());
  for (size_t row = 0; row < rows.size(); ++row) {
    double score = 0;
    for (int64_t i = rows.ids.offsets[row]; i < rows.ids.offsets[row + 1]; ++i) {
      const int32_t id = rows.ids.values[i];
      if (static_cast<uint32_t>(id) >= weights.size())
        throw ModelError({.found = "feature " + std::to_string(id),
                          .expected = "one of " + std::to_string(weights.size()) + " features"});
      score += weights[id] * rows.values[i];
    }
    scores[row] = score;
  }
  return scores;
}

namespace {

// Adds rows; the ids that occur are numbered once, so that a sum is an array.
class RowSum {
 public:
  void add(int32_t id, double value) {
    const auto [slot, fresh] = slots_.insert(id);
    if (fresh) {
      slot = static_cast<int32_t>(sums_.size());
      sums_.push_back({id, 0, false});
    }
    Sum& sum = sums_[slot];
    if (!sum.used) {
      sum = {id, 0, true};
      used_.push_back(slot);
    }
    sum.value += value;
  }

  void end_row(FeatureTable& table) {
    std::sort(used_.begin(), used_.end(),
              [&](int32_t a, int32_t b) { return sums_[a].id < sums_[b].id; });
    for (const int32_t slot : used_) {
      table.ids.values.push_back(sums_[slot].id);
      table.values.push_back(sums_[slot].value);
      sums_[slot].used = false;
    }
    table.ids.end_row();
    used_.clear();
  }

 private:
  struct Sum {
    int32_t id;
    double value;
    bool used;  // by the current row
  };
  FlatMap<int32_t, int32_t> slots_;
  std::vector<Sum> sums_;
  std::vector<int32_t> used_;
};

}  // namespace

FeatureTable sum_rows(const CsrView<int32_t>& derivations, const FeatureRows& features) {
  FeatureTable table;
  RowSum sum;
  for (size_t row = 0; row < derivations.size(); ++row) {
    for (const int32_t edge : derivations[row]) {
      if (static_cast<uint32_t>(edge) >= features.size())
        throw ModelError({.found = "edge " + std::to_string(edge),
                          .expected = "one of " + std::to_string(features.size()) + " edges"});
      for (int64_t i = features.ids.offsets[edge]; i < features.ids.offsets[edge + 1]; ++i)
        sum.add(features.ids.values[i], features.values[i]);
    }
    sum.end_row(table);
  }
  return table;
}

}  // namespace demotic::forest
