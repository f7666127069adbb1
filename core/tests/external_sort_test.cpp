#include "demotic/base/external_sort.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <functional>
#include <map>

#include "demotic/base/rng.h"
#include "scratch.h"
#include "test.h"

namespace test = demotic::test;
using namespace demotic::all;

namespace {

struct Record {
  uint64_t key;
  uint32_t rank;    // compared where keys are equal
  uint32_t number;  // order of insertion
  std::array<char, 16> ballast;
};

template <size_t kBytes>
struct Sized {
  std::array<uint64_t, kBytes / 8> numbers;  // the key in each
};

struct ByFirst {
  uint64_t key(const auto& record) const noexcept { return record.numbers[0]; }
};

template <size_t... kBytes>
void check_sizes() {
  const test::Scratch folder;
  const auto check = [&]<typename T>(T record) {
    for (const uint32_t count : {1u, 3u, 1000u, 200001u}) {  // lines that are full and that are not
      Rng rng(count);
      ExternalSorter<T, ByFirst> sorter(size_t{1} << 30, folder.folder().string());
      std::vector<uint64_t> keys(count);
      for (uint64_t& key : keys) {
        record.numbers.fill(key = rng.next());
        sorter.add(record);
      }
      std::sort(keys.begin(), keys.end());
      size_t i = 0;
      sorter.drain(StopFlag(), [&](const T& sorted) {
        CHECK(i < keys.size() && std::ranges::count(sorted.numbers, keys[i]) ==
                                     static_cast<int64_t>(sorted.numbers.size()));
        ++i;
      });
      CHECK_EQ(i, keys.size());
    }
  };
  (check(Sized<kBytes>{}), ...);
}

struct ByKeyThenRank {
  uint64_t key(const Record& r) const noexcept { return r.key; }
  bool less(const Record& a, const Record& b) const noexcept { return a.rank < b.rank; }
};

std::vector<Record> random_records(uint32_t count, uint64_t keys, Rng& rng) {
  std::vector<Record> records(count);
  for (uint32_t i = 0; i < count; ++i)
    records[i] = {
        rng.below(keys) * 0x9e3779b97f4a7c15u, static_cast<uint32_t>(rng.below(3)), i, {}};
  return records;
}

}  // namespace

TEST_CASE("radix sort is a stable sort") {
  Rng rng(1);
  for (const size_t size : {0, 1, 2, 100, 5000}) {
    std::vector<KeyedIndex> items(size);
    for (size_t i = 0; i < size; ++i)
      items[i] = {rng.next() >> rng.below(64), static_cast<uint32_t>(i)};
    auto expected = items;
    std::stable_sort(expected.begin(), expected.end(),
                     [](const KeyedIndex& a, const KeyedIndex& b) { return a.key < b.key; });
    const auto same = [](const KeyedIndex& a, const KeyedIndex& b) {
      return a.key == b.key && a.index == b.index;
    };
    auto spread = items;
    std::vector<KeyedIndex> scratch;
    sort_spread(spread, scratch);
    CHECK(std::equal(spread.begin(), spread.end(), expected.begin(), same));
    radix_sort(items);
    CHECK(std::equal(items.begin(), items.end(), expected.begin(), same));
  }
}

TEST_CASE("sorting in runs gives what sorting in memory gives, and leaves no file") {
  const test::Scratch folder;
  Rng rng(2);
  const StopFlag stop;
  for (const auto& [memory, threads] :
       {std::pair(size_t{1}, 1), {200000, 1}, {size_t{1} << 30, 1}, {1, 3}, {size_t{1} << 30, 3}}) {
    for (const uint32_t count : {0u, 1u, 1024u, 1025u, 9000u}) {
      auto records = random_records(count, 500, rng);
      ExternalSorter<Record, ByKeyThenRank> sorter(memory, folder.folder().string(), {},
                                                   std::make_shared<BlockPool>(), threads);
      for (const Record& record : records) sorter.add(record);
      std::vector<uint32_t> order;
      sorter.drain(stop, [&](const Record& record) { order.push_back(record.number); });
      std::stable_sort(records.begin(), records.end(), [](const Record& a, const Record& b) {
        return std::pair(a.key, a.rank) < std::pair(b.key, b.rank);
      });
      CHECK_EQ(order.size(), records.size());
      CHECK(std::equal(order.begin(), order.end(), records.begin(), records.end(),
                       [](uint32_t number, const Record& r) { return number == r.number; }));
      CHECK(std::filesystem::is_empty(folder.folder()));
    }
  }
}

namespace {

struct AddingRanks : ByKeyThenRank {
  void combine(Record& to, const Record& from) const noexcept { to.number += from.number; }
};

}  // namespace

TEST_CASE("equal records are combined, in runs and in the result") {
  const test::Scratch folder;
  for (const size_t memory : {size_t{1}, size_t{1} << 16, size_t{1} << 26}) {
    Rng rng(3);
    ExternalSorter<Record, AddingRanks> sorter(memory, folder.folder().string(), {},
                                               std::make_shared<BlockPool>(), 2);
    std::map<std::pair<uint64_t, uint32_t>, uint32_t> wanted;
    for (int i = 0; i < 20'000; ++i) {
      const Record record{rng.below(40), static_cast<uint32_t>(rng.below(9)), 1, {}};
      ++wanted[{record.key, record.rank}];
      sorter.add(record);
    }
    auto next = wanted.begin();
    sorter.drain(StopFlag(), [&](const Record& record) {
      CHECK(next != wanted.end());
      CHECK_EQ(record.key, next->first.first);
      CHECK_EQ(record.rank, next->first.second);
      CHECK_EQ(record.number, next->second);
      ++next;
    });
    CHECK(next == wanted.end());
  }
}

TEST_CASE("buckets split, whatever the distribution of keys and their order of insertion") {
  const test::Scratch folder;
  const StopFlag stop;
  constexpr uint32_t kCount = 300000;  // far more than a bucket holds
  const std::array<std::function<uint64_t(uint32_t, Rng&)>, 6> spreads = {
      [](uint32_t, Rng& rng) { return rng.next(); },
      [](uint32_t i, Rng&) { return uint64_t{i}; },
      [](uint32_t i, Rng&) { return ~uint64_t{i} << 20; },
      [](uint32_t, Rng&) { return uint64_t{7}; },
      [](uint32_t i, Rng& rng) { return i % 10 == 0 ? rng.next() : uint64_t{1} << 63; },
      [](uint32_t i, Rng& rng) { return i < kCount / 2 ? rng.below(1000) : ~rng.below(1000); }};
  for (const auto& spread : spreads) {
    for (const size_t memory : {size_t{3} << 20, size_t{1} << 30}) {
      Rng rng(3);
      std::vector<Record> records(kCount);
      for (uint32_t i = 0; i < kCount; ++i)
        records[i] = {spread(i, rng), static_cast<uint32_t>(rng.below(3)), i, {}};
      ExternalSorter<Record, ByKeyThenRank> sorter(memory, folder.folder().string(), {},
                                                   std::make_shared<BlockPool>(), 2);
      for (const Record& record : records) sorter.add(record);
      std::vector<uint32_t> order;
      sorter.drain(stop, [&](const Record& record) { order.push_back(record.number); });
      std::stable_sort(records.begin(), records.end(), [](const Record& a, const Record& b) {
        return std::pair(a.key, a.rank) < std::pair(b.key, b.rank);
      });
      CHECK(std::equal(order.begin(), order.end(), records.begin(), records.end(),
                       [](uint32_t number, const Record& r) { return number == r.number; }));
    }
  }
}

TEST_CASE("records fill lines of the cache, however many go into one") { check_sizes<8, 16, 64>(); }

TEST_CASE("what visits and merges throw ends both threads") {
  const test::Scratch folder;
  Rng rng(5);
  const auto records = random_records(200000, 1 << 20, rng);
  for (const bool visit_fails : {false, true}) {
    ExternalSorter<Record, ByKeyThenRank> sorter(1, folder.folder().string(), {},
                                                 std::make_shared<BlockPool>(), 2);
    for (const Record& record : records) sorter.add(record);
    StopFlag stop;
    size_t visited = 0;
    const auto visit = [&](const Record&) {
      if (++visited != 10) return;
      if (visit_fails) throw std::domain_error("visit");
      stop.raise();
    };
    if (visit_fails) {
      CHECK_THROWS_AS(sorter.drain(stop, visit), std::domain_error);
      CHECK_EQ(visited, 10);
    } else {
      CHECK_THROWS_AS(sorter.drain(stop, visit), Interrupted);
    }
  }
}

TEST_CASE("a sorter reuses the memory that another one has freed") {
  const test::Scratch folder;
  const StopFlag stop;
  Rng rng(4);
  const auto pool = std::make_shared<BlockPool>();
  const std::string place = folder.folder().string();
  ExternalSorter<Record, ByKeyThenRank> first(size_t{1} << 30, place, {}, pool, 2);
  ExternalSorter<Record, ByKeyThenRank> second(size_t{1} << 16, place, {}, pool, 2);
  const auto records = random_records(100000, uint64_t{1} << 40, rng);
  for (const Record& record : records) first.add(record);
  first.drain(stop, [&](const Record& record) { second.add(record); });
  std::vector<uint32_t> seen;
  uint64_t last = 0;
  second.drain(stop, [&](const Record& record) {
    CHECK(record.key >= last);
    last = record.key;
    seen.push_back(record.number);
  });
  std::sort(seen.begin(), seen.end());
  CHECK_EQ(seen.size(), records.size());
  for (uint32_t i = 0; i < seen.size(); ++i) CHECK_EQ(seen[i], i);
}

TEST_CASE("a folder that does not exist is refused") {
  CHECK_THROWS_AS(ScratchFile("no-such-folder-anywhere"), IoError);
}
