// The flat map behaves like std::unordered_map, for well and badly distributed keys.
#include "demotic/base/flat_map.h"

#include <limits>
#include <unordered_map>

#include "demotic/base/rng.h"
#include "test.h"

namespace test = demotic::test;
using namespace demotic::all;

namespace {

struct Collide {
  uint64_t operator()(uint64_t) const noexcept { return ~uint64_t{0}; }
};

template <typename Map, typename Draw>
void compare_with_standard(Map map, int operations, Draw&& draw) {
  std::unordered_map<uint64_t, int64_t> standard;
  Rng rng(21);
  for (int i = 0; i < operations; ++i) {
    const uint64_t key = draw(rng);
    if (rng.below(3) == 0) {
      const auto known = standard.find(key);
      const int64_t* found = map.find(key);
      CHECK_EQ(found != nullptr, known != standard.end());
      if (found && known != standard.end()) CHECK_EQ(*found, known->second);
    } else {
      const auto [value, fresh] = map.insert(key);
      CHECK_EQ(fresh, !standard.contains(key));
      CHECK(!fresh || value == 0);
      value += i;
      standard[key] += i;
    }
    CHECK_EQ(map.size(), standard.size());
  }
  size_t visited = 0;
  std::as_const(map).for_each([&](uint64_t key, int64_t value) {
    ++visited;
    CHECK(standard.contains(key) && standard[key] == value);
  });
  CHECK_EQ(visited, standard.size());
}

}  // namespace

TEST_CASE("random operations agree with the standard map while it grows") {
  compare_with_standard(FlatMap<uint64_t, int64_t>(), 200000,
                        [](Rng& rng) { return rng.below(50000); });
}

TEST_CASE("all 64 bits of a key matter") {
  compare_with_standard(FlatMap<uint64_t, int64_t>(), 50000, [](Rng& rng) { return rng.next(); });
}

TEST_CASE("keys that differ in their high bits only are found") {
  compare_with_standard(FlatMap<uint64_t, int64_t>(), 50000,
                        [](Rng& rng) { return rng.below(10000) << 48; });
}

TEST_CASE("a hash that maps everything to the last slot is slow but correct") {
  compare_with_standard(FlatMap<uint64_t, int64_t, Collide>(), 5000,
                        [](Rng& rng) { return rng.below(400); });
}

TEST_CASE("the smallest and largest keys are ordinary keys") {
  FlatMap<int64_t, int> map;
  constexpr auto kLow = std::numeric_limits<int64_t>::min();
  constexpr auto kHigh = std::numeric_limits<int64_t>::max();
  CHECK(map.find(0) == nullptr);
  for (int64_t key : {kLow, int64_t{-1}, int64_t{0}, kHigh}) map[key] = static_cast<int>(key % 7);
  CHECK_EQ(map.size(), 4u);
  for (int64_t key : {kLow, int64_t{-1}, int64_t{0}, kHigh})
    CHECK_EQ(*map.find(key), static_cast<int>(key % 7));
}

TEST_CASE("the expected size only affects the time") {
  for (size_t expected : {0u, 1u, 7u, 8u, 9u, 1000u}) {
    FlatMap<int, int> map(expected);
    for (int i = 0; i < 100; ++i) map[i] = i * i;
    CHECK_EQ(map.size(), 100u);
    for (int i = 0; i < 100; ++i) CHECK_EQ(*map.find(i), i * i);
    CHECK(map.find(100) == nullptr);
  }
}

TEST_CASE("mix64 is a bijection on all tested values, and every bit matters") {
  FlatMap<uint64_t, int> outputs(200000);
  for (uint64_t i = 0; i < 100000; ++i) {
    ++outputs[mix64(i)];
    ++outputs[mix64((i + 1) << 40)];
  }
  CHECK_EQ(outputs.size(), 200000u);
  for (int bit = 0; bit < 64; ++bit) {
    int flipped = 0;
    for (uint64_t i = 0; i < 1000; ++i)
      flipped += std::popcount(mix64(i * 0x9e3779b97f4a7c15u) ^
                               mix64(i * 0x9e3779b97f4a7c15u ^ uint64_t{1} << bit));
    CHECK(flipped > 28000 && flipped < 36000);
  }
}
