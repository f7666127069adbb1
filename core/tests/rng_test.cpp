// The random numbers are the published ones, uniform, and independent between streams.
#include "demotic/base/rng.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numeric>
#include <set>
#include <vector>

#include "test.h"

namespace test = demotic::test;
using namespace demotic::all;

namespace {

// The sum of (observed - expected)^2 / expected: about `cells` - 1, plus or minus sqrt(2 cells).
double chi_square(const std::vector<int64_t>& counts) {
  const double expected =
      static_cast<double>(std::accumulate(counts.begin(), counts.end(), int64_t{0})) /
      static_cast<double>(counts.size());
  double sum = 0;
  for (int64_t count : counts) {
    const double gap = static_cast<double>(count) - expected;
    sum += gap * gap / expected;
  }
  return sum;
}

bool fair(const std::vector<int64_t>& counts) {
  const double freedom = static_cast<double>(counts.size()) - 1;
  return std::abs(chi_square(counts) - freedom) < 6 * std::sqrt(2 * freedom);
}

}  // namespace

TEST_CASE("splitmix64 gives the published numbers") {
  uint64_t state = 1234567;
  for (uint64_t expected : {6457827717110365317u, 3203168211198807973u, 9817491932198370423u,
                            4593380528125082431u, 16408922859458223821u})
    CHECK_EQ(splitmix64(state), expected);
  state = 0;
  CHECK_EQ(splitmix64(state), 0xe220a8397b1dcdafu);
  CHECK_EQ(splitmix64(state), 0x6e789e6aa1b965f4u);
}

TEST_CASE("xoshiro256++ gives the numbers of its authors' code for the state 1, 2, 3, 4") {
  // A generator is trivially copyable, so it can be made from bytes: the seed, then the state.
  Rng rng = std::bit_cast<Rng>(std::array<uint64_t, 5>{0, 1, 2, 3, 4});
  const uint64_t published[] = {
      41943041u,
      58720359u,
      3588806011781223u,
      3591011842654386u,
      9228616714210784205u,
      9973669472204895162u,
      14011001112246962877u,
      12406186145184390807u,
      15849039046786891736u,
      10450023813501588000u,
  };
  for (uint64_t expected : published) CHECK_EQ(rng.next(), expected);
}

TEST_CASE("uniform draws fill [0, 1) evenly") {
  Rng rng(7);
  std::vector<int64_t> counts(64);
  for (int i = 0; i < 200000; ++i) {
    const double draw = rng.uniform();
    CHECK(draw >= 0 && draw < 1);
    ++counts[static_cast<size_t>(draw * 64)];
  }
  CHECK(fair(counts));
}

TEST_CASE("bounded draws are below the bound and unbiased") {
  Rng rng(8);
  for (uint64_t bound : {1, 2, 3, 7, 10, 64, 100}) {
    std::vector<int64_t> counts(bound);
    for (int i = 0; i < 100000; ++i) ++counts.at(rng.below(bound));
    CHECK(bound == 1 || fair(counts));
  }
}

TEST_CASE("a bound near 2^64 is not biased towards small numbers") {
  // Without drawing again, a third of the numbers would be twice as frequent.
  constexpr uint64_t kBound = 0xC000000000000000u;
  Rng rng(9);
  std::vector<int64_t> counts(3);
  for (int i = 0; i < 60000; ++i) {
    const uint64_t draw = rng.below(kBound);
    CHECK(draw < kBound);
    ++counts[draw >> 62];
  }
  CHECK(fair(counts));
  CHECK(rng.below(~uint64_t{0}) < ~uint64_t{0});
}

TEST_CASE("the same seed gives the same numbers, and copies continue equally") {
  Rng one(3), two(3);
  for (int i = 0; i < 100; ++i) CHECK_EQ(one.next(), two.next());
  Rng copy = one;
  for (int i = 0; i < 100; ++i) CHECK_EQ(one.next(), copy.next());
}

TEST_CASE("forks depend only on seed and stream, not on earlier draws") {
  Rng fresh(5), used(5);
  for (int i = 0; i < 1000; ++i) used.next();
  Rng a = fresh.fork(17), b = used.fork(17);
  for (int i = 0; i < 100; ++i) CHECK_EQ(a.next(), b.next());
}

TEST_CASE("no two streams share numbers: seeds, forks, and forks of forks") {
  std::set<uint64_t> seen;
  size_t drawn = 0;
  const auto draw = [&](Rng rng) {
    for (int i = 0; i < 4; ++i, ++drawn) seen.insert(rng.next());
  };
  for (uint64_t seed = 0; seed < 20; ++seed) {
    const Rng root(seed);
    draw(root);
    for (uint64_t stream = 0; stream < 50; ++stream) {
      draw(root.fork(stream));
      for (uint64_t inner = 0; inner < 20; ++inner) draw(root.fork(stream).fork(inner));
    }
    draw(root.fork(~uint64_t{0}));
  }
  CHECK_EQ(seen.size(), drawn);
}

TEST_CASE("neighbouring streams are not correlated") {
  Rng a = Rng(1).fork(0), b = Rng(1).fork(1);
  int64_t equal_bits = 0;
  constexpr int kDraws = 20000;
  for (int i = 0; i < kDraws; ++i) equal_bits += std::popcount(~(a.next() ^ b.next()));
  const double expected = 32.0 * kDraws, deviation = std::sqrt(16.0 * kDraws);
  CHECK(std::abs(static_cast<double>(equal_bits) - expected) < 6 * deviation);
}

TEST_CASE("a shuffle is a permutation, and all orders are equally likely") {
  Rng rng(11);
  std::vector<int> items(1000);
  std::iota(items.begin(), items.end(), 0);
  std::vector<int> shuffled = items;
  rng.shuffle(std::span(shuffled));
  CHECK(shuffled != items);
  std::sort(shuffled.begin(), shuffled.end());
  CHECK(shuffled == items);

  std::vector<int64_t> counts(24);
  for (int i = 0; i < 48000; ++i) {
    std::array<int, 4> four = {0, 1, 2, 3};
    rng.shuffle(std::span<int>(four));
    size_t rank = 0;
    while (std::prev_permutation(four.begin(), four.end())) ++rank;
    ++counts[rank];
  }
  CHECK(fair(counts));
  rng.shuffle(std::span<int>());
}
