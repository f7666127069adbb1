// Wide arithmetic and lanes have the same results with and without the extensions of a compiler:
// the same checks run in both builds.
#include "demotic/base/portable.h"

#include <array>
#include <cmath>
#include <string>
#include <string_view>
#include <system_error>

#include "demotic/base/lanes.h"
#include "demotic/base/read_number.h"
#include "demotic/base/rng.h"
#include "test.h"

namespace test = demotic::test;
using namespace demotic::all;

namespace {

// The upper half by multiplying and adding single bits.
uint64_t high_by_bits(uint64_t a, uint64_t b) {
  uint64_t high = 0, low = 0;
  for (int i = 63; i >= 0; --i) {
    high = high << 1 | low >> 63;
    low <<= 1;
    if (a >> i & 1) {
      low += b;
      high += low < b;
    }
  }
  return high;
}

uint64_t some_number(Rng& rng) { return rng.below(~uint64_t{0}) >> rng.below(64); }

}  // namespace

TEST_CASE("upper halves of products") {
  const uint64_t most = ~uint64_t{0};
  CHECK(multiply_high(most, most) == most - 1);
  CHECK(multiply_high(most, 1) == 0u);
  CHECK(multiply_high(uint64_t{1} << 63, 2) == 1u);
  Rng rng(1);
  for (int i = 0; i < 1000; ++i) {
    const uint64_t a = some_number(rng), b = some_number(rng);
    CHECK(multiply_high(a, b) == high_by_bits(a, b));
  }
}

TEST_CASE("scaled quotients, rounded up") {
  CHECK(divide_scaled_up(0, 64, 7) == 0u);
  CHECK(divide_scaled_up(1, 64, 2) == uint64_t{1} << 63);
  CHECK(divide_scaled_up(1, 64, 3) == 0x5555555555555556u);
  CHECK(divide_scaled_up(1, 64, 1) == 0u);  // 2^64, modulo 2^64
  CHECK(divide_scaled_up(10, 0, 4) == 3u);
  CHECK(divide_scaled_up((uint64_t{1} << 63) + 1, 64, ~uint64_t{0}) == (uint64_t{1} << 63) + 2);
  Rng rng(2);
  for (int i = 0; i < 1000; ++i) {
    const uint64_t divisor = 1 + rng.below(uint64_t{1} << 40), value = rng.below(divisor);
    const uint64_t found = divide_scaled_up(value, 64, divisor);
    // The smallest: found - 1 does not reach the value yet.
    CHECK(found == 0 || multiply_high(found - 1, divisor) < value);
    CHECK(found == 0 || found * divisor == 0 || multiply_high(found, divisor) >= value);
  }
}

TEST_CASE("operations act on each lane") {
  const std::array<double, kLanes> a{1, -2, 3, 0.5, -0.25, 7, 1e300, -1e-300};
  const std::array<double, kLanes> b{2, -2, 1, 0.5, 4, -7, 1e10, 1e-10};
  Doubles x{}, y{};
  for (int32_t i = 0; i < kLanes; ++i) x[i] = a[i], y[i] = b[i];
  const Doubles sum = x + y, difference = x - 1.5, product = 2.0 * x, opposite = -x;
  const Doubles highest = choose(x > y, x, y), equal = choose(x == y, x, Doubles{});
  Doubles total = x;
  total += y;
  total *= 0.5;
  for (int32_t i = 0; i < kLanes; ++i) {
    CHECK(sum[i] == a[i] + b[i]);
    CHECK(difference[i] == a[i] - 1.5);
    CHECK(product[i] == 2 * a[i]);
    CHECK(opposite[i] == -a[i]);
    CHECK(highest[i] == std::fmax(a[i], b[i]));
    CHECK(equal[i] == (a[i] == b[i] ? a[i] : 0));
    CHECK(total[i] == (a[i] + b[i]) * 0.5);
    CHECK(swapped<4>(x)[i] == a[i ^ 4]);
    CHECK(swapped<2>(x)[i] == a[i ^ 2]);
    CHECK(swapped<1>(x)[i] == a[i ^ 1]);
  }
}

TEST_CASE("lanes are loaded, converted and summed") {
  std::array<float, kLanes + 1> values{0, 1, 2, 3, 4, 5, 6, 7, 8};
  lanes_at(values.data() + 1) += lanes_at(values.data() + 1);
  CHECK(values[8] == 16.0f);
  const Floats row = lanes_at(values.data() + 1);
  CHECK(sum_lanes(row) == 72.0f);
  CHECK(to_doubles(row)[7] == 16.0);
  CHECK(to_doubles(Counts{1, 2, 3, 4, 5, 6, 7, -8})[7] == -8.0);
  Integers places{0, 1, 2, 3, 4, 5, 6, 7};
  places += kLanes;
  CHECK((places - 3)[0] == 5);
  CHECK(padded(9) == 16);
}

namespace {

struct Read {
  double value;
  size_t length;
  std::errc error;
  bool operator==(const Read&) const = default;
};

Read read(double value, size_t length, std::errc error) { return {value, length, error}; }

Read read_as_double(std::string_view text) {
  double value = -7;
  const auto [end, error] = read_number(text.data(), text.data() + text.size(), value);
  return {value, static_cast<size_t>(end - text.data()), error};
}

}  // namespace

TEST_CASE("decimal numbers in text") {
  constexpr auto kDone = std::errc();
  constexpr auto kInvalid = std::errc::invalid_argument, kRange = std::errc::result_out_of_range;
  CHECK(read_as_double("0.1 2") == read(0.1, 3, kDone));
  CHECK(read_as_double("-2.5e-3") == read(-2.5e-3, 7, kDone));
  CHECK(read_as_double("1e") == read(1, 1, kDone));
  CHECK(read_as_double("1E+x") == read(1, 1, kDone));
  CHECK(read_as_double("3.") == read(3, 2, kDone));
  CHECK(read_as_double(".5,") == read(.5, 2, kDone));
  CHECK(read_as_double("0x10") == read(0, 1, kDone));
  CHECK(read_as_double("-0") == read(0, 2, kDone));
  CHECK(read_as_double("4.9e-324") == read(4.9e-324, 8, kDone));
  CHECK(read_as_double("1e999") == read(-7, 5, kRange));
  CHECK(read_as_double("-1e-999") == read(-7, 7, kRange));
  CHECK(read_as_double("0e999") == read(0, 5, kDone));
  for (const char* const text : {"", ".", "-", "-.", "e5", "+1", " 1", ",5"})
    CHECK(read_as_double(text) == read(-7, 0, kInvalid));
  CHECK(std::isinf(read_as_double("-Inf").value));
  CHECK(read_as_double("infinity").length == 8u);
  CHECK(std::isnan(read_as_double("nan").value));
  const std::string third = "0.33333334";  // rounded as a float, not as a double first
  float value = 0;
  read_number(third.data(), third.data() + third.size(), value);
  CHECK(value == 0.33333334f);
}
