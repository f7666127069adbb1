// Rows of different lengths in one flat array: row i is values[offsets[i] .. offsets[i+1]). Used
// for corpora, rule tries, feature vectors and hypergraphs.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "demotic/namespaces.h"

namespace demotic::base {

// A view; the arrays belong to someone else and must outlive it.
template <typename T, typename Offset = int64_t>
struct CsrView {
  std::span<const Offset> offsets;  // size() + 1 values, ascending, the first 0
  std::span<const T> values;

  size_t size() const noexcept { return offsets.empty() ? 0 : offsets.size() - 1; }
  std::span<const T> operator[](size_t row) const noexcept {
    return values.subspan(offsets[row], offsets[row + 1] - offsets[row]);
  }
};

// Whether `offsets` are valid for `values`; checked wherever arrays come from outside.
template <typename T, typename Offset>
bool well_formed(const CsrView<T, Offset>& csr) noexcept {
  if (csr.offsets.empty() || csr.offsets.front() != 0) return false;
  if (static_cast<uint64_t>(csr.offsets.back()) != csr.values.size()) return false;
  for (size_t i = 1; i < csr.offsets.size(); ++i)
    if (csr.offsets[i] < csr.offsets[i - 1]) return false;
  return true;
}

// The owning version, built row by row.
template <typename T, typename Offset = int64_t>
struct Csr {
  std::vector<Offset> offsets{0};
  std::vector<T> values;

  size_t size() const noexcept { return offsets.size() - 1; }
  void end_row() { offsets.push_back(static_cast<Offset>(values.size())); }
  CsrView<T, Offset> view() const noexcept { return {offsets, values}; }
  std::span<const T> operator[](size_t row) const noexcept { return view()[row]; }
};

// Appends the rows of `from` to those of `to`.
template <typename T, typename Offset>
void append(Csr<T, Offset>& rows, const Csr<T, Offset>& more) {
  const Offset begin = rows.offsets.back();
  for (size_t i = 1; i < more.offsets.size(); ++i) rows.offsets.push_back(begin + more.offsets[i]);
  rows.values.insert(rows.values.end(), more.values.begin(), more.values.end());
}

}  // namespace demotic::base
