// Tables of sparse weights agree with a plain map, whatever the order of updates; files with
// inconsistent arrays are refused even if their checksums are valid.
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <vector>

#include "demotic/base/container.h"
#include "demotic/base/errors.h"
#include "demotic/base/hash.h"
#include "demotic/base/rng.h"
#include "demotic/features/feature_template.h"
#include "demotic/features/sparse_table.h"
#include "demotic/features/stored_weights.h"
#include "scratch.h"
#include "test.h"

namespace test = demotic::test;
using namespace demotic::all;
using test::Scratch;

namespace {

struct Update {
  FeatureKey key;
  float delta;
};

// Some keys repeat, some are neighbours, some share most bits of their hash.
std::vector<Update> drawn_updates(uint64_t seed, size_t count) {
  Rng rng(seed);
  std::vector<Update> updates;
  for (size_t i = 0; i < count; ++i) {
    const uint64_t key = rng.below(3) == 0 ? rng.below(count) : rng.next();
    updates.push_back({key, static_cast<float>(static_cast<int>(rng.below(9)) - 4)});
    if (rng.below(4) == 0) updates.push_back(updates[rng.below(updates.size())]);
  }
  return updates;
}

std::vector<FeatureKey> keys_of(const std::vector<Update>& updates) {
  std::vector<FeatureKey> keys;
  for (const Update& one : updates) keys.insert(keys.end(), {one.key, one.key + 1});
  return keys;
}

// A copy with valid checksums in which `change` was applied to one section.
void forge(const std::string& from, const std::string& to, std::string_view kind,
           std::string_view name, const std::function<void(std::vector<uint8_t>&)>& change) {
  const Container original(from, kind, 1);
  const std::string file = test::read_file(from);
  ContainerWriter writer(to, kind, 1);
  for (const ContainerSection& section : original.sections()) {
    const auto begin = file.begin() + static_cast<ptrdiff_t>(section.offset);
    std::vector<uint8_t> bytes(begin, begin + static_cast<ptrdiff_t>(section.size));
    if (section.label() == name) change(bytes);
    writer.begin_section(section.label(), section.element_size);
    writer.append(std::span<const uint8_t>(bytes));
  }
  writer.commit();
}

}  // namespace

TEST_CASE("a table and its file agree with a map") {
  Scratch scratch;
  for (const size_t count : {0, 1, 50, 500, 60000}) {
    SparseTable table(7);
    std::map<FeatureKey, std::pair<double, double>> plain;  // weight, sum of weights over steps
    const std::vector<Update> updates = drawn_updates(count, count);
    for (size_t i = 0; i < updates.size(); ++i) {
      const auto step = static_cast<int64_t>(i / 10);
      table.add(updates[i].key, updates[i].delta, step);
      auto& [weight, sum] = plain[updates[i].key];
      weight += updates[i].delta;
      sum += updates[i].delta * (10000 - static_cast<double>(step));
    }
    CHECK_EQ(table.size(), plain.size());
    table.save(scratch / "table");
    store_weights(scratch / "now", table, 0);
    store_weights(scratch / "mean", table, 10000);
    const auto loaded = SparseTable::load(scratch / "table", StopFlag());
    const auto now = StoredSparseWeights::open(scratch / "now", true, StopFlag());
    const auto mean = StoredSparseWeights::open(scratch / "mean", true, StopFlag());
    CHECK_EQ(loaded->layout(), 7u);
    CHECK_EQ(now.layout(), 7u);
    double all = 0;
    size_t not_zero = 0;
    for (const auto& [key, value] : plain) {
      const auto weight = static_cast<float>(value.first);
      CHECK_EQ(table.weight(key), weight);
      CHECK_EQ(loaded->weight(key), weight);
      CHECK_EQ(now.weight(key), weight);
      CHECK(std::abs(table.averaged(key, 10000) - value.second / 10000) < 1e-5);
      CHECK_EQ(loaded->averaged(key, 10000), table.averaged(key, 10000));
      CHECK_EQ(mean.weight(key), table.averaged(key, 10000));
      const float next = plain.contains(key + 1) ? table.weight(key + 1) : 0;
      CHECK_EQ(now.weight(key + 1), next);
      not_zero += weight != 0;
    }
    CHECK_EQ(now.size(), not_zero);
    const std::vector<FeatureKey> keys = keys_of(updates);
    for (const FeatureKey key : keys) all += static_cast<double>(table.weight(key));
    CHECK_EQ(table.sum(keys), static_cast<float>(all));
    CHECK_EQ(loaded->sum(keys), static_cast<float>(all));
    CHECK_EQ(now.sum(keys), static_cast<float>(all));
  }
}

TEST_CASE("files do not depend on the order of insertion") {
  Scratch scratch;
  std::vector<Update> updates = drawn_updates(3, 70000);
  SparseTable forth(1), back(1);
  for (const Update& one : updates) forth.add(one.key, one.delta, 5);
  std::ranges::reverse(updates);
  for (const Update& one : updates) back.add(one.key, one.delta, 5);
  forth.save(scratch / "forth");
  back.save(scratch / "back");
  CHECK(test::read_file(scratch / "forth") == test::read_file(scratch / "back"));
  store_weights(scratch / "forth", forth, 9);
  store_weights(scratch / "back", back, 9);
  CHECK(test::read_file(scratch / "forth") == test::read_file(scratch / "back"));
}

TEST_CASE("many updates at once are the same updates one by one") {
  Scratch scratch;
  const std::vector<Update> updates = drawn_updates(6, 90000);
  std::vector<FeatureKey> keys;
  std::vector<float> deltas;
  SparseTable one(1), many(1);
  for (const Update& update : updates) {
    keys.push_back(update.key);
    deltas.push_back(update.delta);
    one.add(update.key, update.delta, 5);
  }
  many.add(std::span(keys).first(7), std::span(deltas).first(7), 5);
  many.add(std::span(keys).subspan(7), std::span(deltas).subspan(7), 5);
  one.save(scratch / "one");
  many.save(scratch / "many");
  CHECK(test::read_file(scratch / "one") == test::read_file(scratch / "many"));
}

TEST_CASE("the cache of a table holds its current weights") {
  SparseTable table;
  const std::vector<Update> updates = drawn_updates(7, 9000);
  const std::vector<FeatureKey> keys = keys_of(updates);
  std::vector<uint32_t> places;
  for (size_t first = 0; first < keys.size(); first += 1000) {
    // Some have a weight already; others get one later, or never.
    const auto piece = std::span(keys).subspan(first, std::min(size_t{1000}, keys.size() - first));
    places.resize(first + piece.size());
    CHECK(table.cache()->add(piece, table, std::span(places).subspan(first)));
    for (size_t i = first / 2; i < first + piece.size() / 2; ++i)
      table.add(keys[i], updates[i / 2].delta, 5);
    for (size_t i = 0; i < places.size(); ++i)
      CHECK_EQ((*table.cache())[places[i]], table.weight(keys[i]));
  }
  CHECK(table.cache()->size() < keys.size());  // repeated keys share a slot
}

TEST_CASE("a full cache keeps its keys and accepts no others") {
  SparseTable table;
  WeightCache cache(4);
  const std::vector<FeatureKey> some = {5, 6, 5}, others = {5, 7, 8, 9}, last = {9, 5};
  std::vector<uint32_t> places(4);
  CHECK(cache.add(some, table, std::span(places).first(3)));
  CHECK(places[0] == places[2] && places[0] != places[1]);
  CHECK(!cache.add(others, table, places));
  CHECK_EQ(cache.size(), 2u);
  CHECK(cache.add(last, table, std::span(places).subspan(2)));
  CHECK_EQ(places[3], places[0]);
}

TEST_CASE("stored weights return all keys, including those beyond the size of a bucket") {
  Scratch scratch;
  std::vector<FeatureKey> keys;
  std::vector<float> weights;
  Rng rng(8);
  for (int i = 0; i < 3000; ++i) keys.push_back(rng.next());
  // Many keys in one bucket, found by their hashes.
  for (FeatureKey key = 0; keys.size() < 3200; ++key)
    if (mix64(key) >> 56 == 17) keys.push_back(key);
  for (size_t i = 0; i < keys.size(); ++i) weights.push_back(static_cast<float>(i) + 1);
  store_weights(scratch / "w", keys, weights, 2);
  const auto stored = StoredSparseWeights::open(scratch / "w", true, StopFlag());
  for (size_t i = 0; i < keys.size(); ++i) CHECK_EQ(stored.weight(keys[i]), weights[i]);
  const auto arrays = stored.arrays();
  CHECK(std::ranges::is_sorted(arrays.keys));
  std::ranges::sort(keys);
  CHECK(arrays.keys == keys);
  for (size_t i = 0; i < keys.size(); ++i)
    CHECK_EQ(stored.weight(arrays.keys[i]), arrays.weights[i]);
}

TEST_CASE("a table takes at most 28 bytes per feature, stored weights 12") {
  Scratch scratch;
  SparseTable table;
  Rng rng(4);
  double most = 0;
  while (table.size() < 300000) {
    table.add(rng.next(), 1, 0);
    if (table.size() >= 10000 && table.size() % 500 == 0)
      most = std::max(most, static_cast<double>(table.size_bytes()) / table.size());
  }
  CHECK(most <= 28);
  store_weights(scratch / "w", table, 0);
  const auto stored = StoredSparseWeights::open(scratch / "w", true, StopFlag());
  CHECK(static_cast<double>(stored.size_bytes()) / stored.size() <= 12);
}

TEST_CASE("weights that cannot be stored are refused") {
  Scratch scratch;
  const std::vector<FeatureKey> same = {5, 6, 5};
  const std::vector<float> ones = {1, 1, 1};
  CHECK_THROWS_AS(store_weights(scratch / "w", same, ones, 0), std::invalid_argument);
  CHECK_THROWS_AS(store_weights(scratch / "w", same, std::span(ones).first(2), 0),
                  std::invalid_argument);
  const std::vector<FeatureKey> keys = {5, 6, 7};
  const std::vector<float> bad = {1, std::numeric_limits<float>::quiet_NaN(), 1};
  CHECK_THROWS_AS(store_weights(scratch / "w", keys, bad, 0), ModelError);
  CHECK_EQ(scratch.entries(), 0u);
}

TEST_CASE("files with inconsistent arrays are refused") {
  Scratch scratch;
  SparseTable table;
  for (const Update& one : drawn_updates(6, 2000)) table.add(one.key, 1, 1);
  table.save(scratch / "table");
  store_weights(scratch / "weights", table, 0);
  const auto shorter = [](std::vector<uint8_t>& bytes) { bytes.resize(bytes.size() - 64); };
  const auto not_finite = [](std::vector<uint8_t>& bytes) {
    std::fill_n(bytes.begin(), 8, uint8_t{0xff});
  };
  for (const char* name : {"keys", "weights", "sums"}) {
    forge(scratch / "table", scratch / "forged", "sparse-table", name, shorter);
    CHECK_THROWS_AS(SparseTable::load(scratch / "forged", StopFlag()), FormatError);
    forge(scratch / "table", scratch / "forged", "sparse-table", name, not_finite);
    CHECK_THROWS_AS(SparseTable::load(scratch / "forged", StopFlag()), FormatError);
  }
  const auto first = [](std::vector<uint8_t>& bytes) { bytes[64 * 3] ^= 1; };
  const auto size = [](std::vector<uint8_t>& bytes) { bytes[64 * 3 + 4] = 60; };
  const auto count = [](std::vector<uint8_t>& bytes) { bytes[0] ^= 1; };
  const std::vector<std::pair<const char*, std::function<void(std::vector<uint8_t>&)>>> lies = {
      {"buckets", shorter}, {"buckets", first}, {"buckets", size},
      {"entries", shorter}, {"head", count},    {"head", [](auto& bytes) { bytes[7] = 0xff; }}};
  for (const auto& [name, change] : lies) {
    forge(scratch / "weights", scratch / "forged", "sparse-weights", name, change);
    CHECK_THROWS_AS(StoredSparseWeights::open(scratch / "forged", true, StopFlag()), FormatError);
  }
  CHECK_THROWS_AS(StoredSparseWeights::open(scratch / "table", true, StopFlag()), ModelError);
  std::string file = test::read_file(scratch / "weights");
  file[file.size() / 2] ^= 1;
  test::write_file(scratch / "forged", file);
  CHECK_THROWS_AS(StoredSparseWeights::open(scratch / "forged", true, StopFlag()), FormatError);
  test::write_file(scratch / "forged", file.substr(0, file.size() - 100));
  CHECK_THROWS_AS(StoredSparseWeights::open(scratch / "forged", false, StopFlag()), FormatError);
}

TEST_CASE("a template is written in canonical order") {
  const FeatureTemplate one("target.last:tag  source.first:word rule");
  CHECK_EQ(one.text(), "source.first:word target.last:tag rule");
  CHECK(one == FeatureTemplate("rule source.first:word target.last:tag"));
}
