// Files of sparse tables: parallel arrays in the order of the hashes.
#include <bit>
#include <cmath>
#include <numeric>

#include "demotic/base/container.h"
#include "demotic/base/errors.h"
#include "demotic/base/hash.h"
#include "demotic/features/sparse_table.h"
#include "sparse_shard.h"

namespace demotic::features {
namespace {

constexpr std::string_view kKind = "sparse-table";
constexpr uint32_t kVersion = 1;
constexpr size_t kElementsPerWrite = 1 << 16;  // elements buffered per write

// Writes one field of all features as a section.
template <typename T, typename Field>
void write_column(ContainerWriter& writer, std::string_view name, const SparseTable& table,
                  Field&& field) {
  writer.begin_section(name, sizeof(T));
  std::vector<T> piece;
  const auto flush = [&] {
    writer.append(std::span<const T>(piece));
    piece.clear();
  };
  table.for_each([&](const SparseTable::Feature& feature) {
    piece.push_back(field(feature));
    if (piece.size() == kElementsPerWrite) flush();
  });
  flush();
}

// Calls visit(i) for all i < count, in an order that jumps about. Keys in the order of their hashes
// would fill a growing table from one end, where every insertion has to pass all others.
template <typename Visit>
void for_each_scattered(size_t count, Visit&& visit) {
  size_t step = static_cast<size_t>(0.618 * static_cast<double>(count)) | 1;
  while (std::gcd(step, count) > 1) ++step;
  for (size_t i = 0, at = 0; i < count; ++i, at = (at + step) % count) visit(at);
}

}  // namespace

void SparseTable::save(const std::string& path) const {
  ContainerWriter writer(path, kKind, kVersion);
  writer.section("layout", std::span<const uint64_t>(&layout_, 1));
  write_column<uint64_t>(writer, "keys", *this, [](const Feature& one) { return one.key; });
  write_column<float>(writer, "weights", *this, [](const Feature& one) { return one.weight; });
  write_column<double>(writer, "sums", *this, [](const Feature& one) { return one.sum; });
  writer.commit();
}

std::unique_ptr<SparseTable> SparseTable::load(const std::string& path, const StopFlag& stop) {
  const Container container(path, kKind, kVersion);
  container.verify(stop);
  const auto layout = container.section<uint64_t>("layout");
  const auto keys = container.section<uint64_t>("keys");
  const auto weights = container.section<float>("weights");
  const auto sums = container.section<double>("sums");
  bool sound = layout.size() == 1 && weights.size() == keys.size() && sums.size() == keys.size();
  for (size_t i = 0; sound && i < keys.size(); ++i)
    sound = (i == 0 || mix64(keys[i - 1]) < mix64(keys[i])) && std::isfinite(weights[i]) &&
            std::isfinite(sums[i]);
  if (!sound)
    throw FormatError({.path = path,
                       .found = "inconsistent arrays",
                       .expected = "a table of sparse weights",
                       .advice = "restart the training"});
  auto table = std::make_unique<SparseTable>(layout[0]);
  for_each_scattered(keys.size(), [&](size_t i) {
    const Position position = table->insert(keys[i]);
    position.shard->entries[position.slot].weight = weights[i];
    position.shard->sums[position.slot] = sums[i];
  });
  return table;
}

}  // namespace demotic::features
