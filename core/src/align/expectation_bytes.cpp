// Posteriors as bytes: per chunk the statistics as doubles, then the posteriors of each pair as
// floats, without padding, and only once if both directions agree.
#include <cstring>
#include <stdexcept>

#include "demotic/align/expectation.h"
#include "demotic/base/errors.h"

namespace demotic::align {
namespace {

// The number of jump widths that are counted.
size_t widths_of(const Positions& positions) noexcept {
  return positions.jumps.empty() ? 0 : positions.jumps.front().weights().size();
}

// Calls visit(value) for all statistics.
template <typename Statistics, typename Visit>
void visit_statistics(Statistics& statistics, Visit&& visit) {
  for (int way = 0; way < 2; ++way) {
    visit(statistics.log_likelihood[way]);
    visit(statistics.diagonal[way].distance);
    visit(statistics.diagonal[way].links);
    for (auto& value : statistics.jumps[way].taken) visit(value);
    for (auto& value : statistics.jumps[way].offered) visit(value);
  }
}

// Calls visit(row, size) for all rows of posteriors that are sent.
template <typename Visit>
void visit_rows(const Grids& grids, bool agree, Visit&& visit) {
  for (int way = agree ? 1 : 0; way < 2; ++way)
    for (int32_t r = 0; r < grids[way].rows; ++r) visit(grids[way].row(r), grids[way].columns);
  for (const Grid& grid : grids) visit(grid.empty, grid.rows);
}

}  // namespace

size_t Expectation::packed_size(size_t chunk, size_t widths) const {
  size_t floats = 0;
  for (size_t pair = bounds_[chunk]; pair < bounds_[chunk + 1]; ++pair)
    floats += static_cast<size_t>(bitext_.cells_of(pair)) * (agree_ ? 1 : 2) +
              bitext_.source_of(pair).size() + bitext_.target_of(pair).size();
  return (6 + 4 * widths) * sizeof(double) + floats * sizeof(float);
}

void Expectation::pack(const Chunk& chunk, std::string& out) const {
  const auto append = [&](const auto* values, size_t count) {
    out.append(reinterpret_cast<const char*>(values), count * sizeof(*values));
  };
  visit_statistics(chunk.statistics, [&](double value) { append(&value, 1); });
  visit_pairs(chunk, [&](auto, auto, const PairIndex*, const Grids& grids) {
    visit_rows(grids, agree_, [&](const float* row, int32_t size) { append(row, size); });
  });
}

void Expectation::unpack(const char* from, size_t widths, Chunk& chunk) const {
  const auto take = [&](auto* values, size_t count) {
    std::memcpy(values, from, count * sizeof(*values));
    from += count * sizeof(*values);
  };
  for (JumpStatistics& jumps : chunk.statistics.jumps) {
    jumps.taken.assign(widths, 0);
    jumps.offered.assign(widths, 0);
  }
  visit_statistics(chunk.statistics, [&](double& value) { take(&value, 1); });
  visit_pairs(chunk, [&](auto, auto, const PairIndex*, const Grids& grids) {
    visit_rows(grids, agree_, [&](float* row, int32_t size) { take(row, size); });
    const auto& [forward, backward] = grids;
    for (int32_t i = 0; agree_ && i < backward.rows; ++i)
      for (int32_t j = 0; j < forward.rows; ++j) forward.row(j)[i] = backward.row(i)[j];
  });
}

std::string Expectation::posteriors(int64_t first, int64_t last, const Positions& positions,
                                    const Lexicon& lexicon, const StopFlag& stop) {
  if (first < 0 || first > last || last > chunks()) throw std::out_of_range("no such chunks");
  std::string result;
  for (auto number = static_cast<size_t>(first); number < static_cast<size_t>(last); ++number) {
    stop.check();
    Chunk chunk = at(number);
    lay_out(chunk);
    find(chunk, positions, lexicon, scratch_.front());
    pack(chunk, result);
  }
  return result;
}

void Expectation::add(int64_t first, int64_t last, std::span<const char> posteriors,
                      const Positions& positions, ExpectedCounts& counts,
                      PassStatistics& statistics, const StopFlag& stop) {
  if (first < 0 || first > last || last > chunks()) throw std::out_of_range("no such chunks");
  const size_t widths = widths_of(positions);
  std::vector<size_t> begins{0};
  for (int64_t chunk = first; chunk < last; ++chunk)
    begins.push_back(begins.back() + packed_size(chunk, widths));
  if (begins.back() != posteriors.size())
    throw FormatError({.found = std::to_string(posteriors.size()) + " bytes of posteriors",
                       .expected = std::to_string(begins.back())});
  Progress ignored;
  add_chunks(
      first, last,
      [&](Chunk& chunk, size_t number, int) {
        unpack(posteriors.data() + begins[number - first], widths, chunk);
      },
      counts, statistics, stop, ignored);
}

}  // namespace demotic::align
