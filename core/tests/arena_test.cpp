// The arena returns memory that is aligned, not shared, and reused for the next sentence.
#include "demotic/base/arena.h"

#include <cstdint>
#include <cstring>
#include <limits>
#include <new>

#include "demotic/base/rng.h"
#include "test.h"

namespace test = demotic::test;
using namespace demotic::all;

namespace {

template <typename T>
bool is_aligned(const T* pointer) {
  return reinterpret_cast<uintptr_t>(pointer) % alignof(T) == 0;
}

}  // namespace

TEST_CASE("pieces are aligned and keep what was written to them") {
  Arena arena(256);
  Rng rng(1);
  struct Piece {
    std::span<uint8_t> bytes;
    uint8_t mark;
  };
  for (int round = 0; round < 3; ++round, arena.reset()) {
    std::vector<Piece> pieces;
    for (int i = 0; i < 500; ++i) {
      const auto mark = static_cast<uint8_t>(i);
      const size_t count = rng.below(80);
      std::span<double> doubles = arena.allocate<double>(count);
      CHECK(is_aligned(doubles.data()));
      CHECK_EQ(doubles.size(), count);
      std::span<uint8_t> bytes(reinterpret_cast<uint8_t*>(doubles.data()), count * sizeof(double));
      std::span<uint8_t> odd = arena.allocate<uint8_t>(rng.below(7));
      for (std::span<uint8_t> part : {bytes, odd}) {
        if (!part.empty()) std::memset(part.data(), mark, part.size());
        pieces.push_back({part, mark});
      }
    }
    for (const Piece& piece : pieces)
      for (uint8_t byte : piece.bytes) CHECK_EQ(byte, piece.mark);
  }
}

TEST_CASE("a piece larger than a block gets its own block") {
  Arena arena(64);
  CHECK_EQ(arena.allocate<int64_t>(1000).size(), 1000u);
  CHECK(arena.reserved_bytes() >= 8000);
  CHECK_EQ(arena.allocate<int64_t>(1).size(), 1u);
}

TEST_CASE("reset keeps the memory and reuses it") {
  Arena arena(1024);
  for (int i = 0; i < 100; ++i) arena.allocate<int>(10);
  const size_t reserved = arena.reserved_bytes();
  for (int round = 0; round < 10; ++round) {
    arena.reset();
    for (int i = 0; i < 100; ++i) arena.allocate<int>(10);
    CHECK_EQ(arena.reserved_bytes(), reserved);
  }
}

TEST_CASE("an empty piece costs nothing") {
  Arena arena(64);
  CHECK(arena.allocate<int>(0).empty());
  arena.allocate<int>(16);
  CHECK(arena.allocate<int>(0).empty());
  CHECK_EQ(arena.reserved_bytes(), 64u);
}

TEST_CASE("an impossible size is refused and does not wrap around") {
  Arena arena(64);
  constexpr size_t kHuge = std::numeric_limits<size_t>::max();
  CHECK_THROWS_AS(arena.allocate<int64_t>(kHuge / 8 + 2), std::bad_alloc);
  arena.allocate<int8_t>(3);
  CHECK_THROWS_AS(arena.allocate<int8_t>(kHuge), std::bad_alloc);
}
