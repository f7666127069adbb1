// Suffix arrays equal those found by comparing suffixes, for small and large alphabets.
#include "demotic/text/suffix_array.h"

#include <algorithm>
#include <numeric>

#include "demotic/base/errors.h"
#include "demotic/base/rng.h"
#include "test.h"

namespace test = demotic::test;
using namespace demotic::all;

namespace {

HugeVector<uint32_t> by_comparison(const std::vector<WordId>& text) {
  HugeVector<uint32_t> order(text.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::sort(order, [&](uint32_t a, uint32_t b) {
    return std::lexicographical_compare(text.begin() + a, text.end(), text.begin() + b, text.end());
  });
  return order;
}

}  // namespace

TEST_CASE("suffix arrays of random texts") {
  Rng rng(5);
  for (const uint64_t words : {1, 2, 3, 10, 1000})
    for (size_t size = 0; size < 200; size += size < 20 ? 1 : 17) {
      std::vector<WordId> text(size);
      for (WordId& word : text) word = static_cast<WordId>(rng.below(words));
      CHECK(suffix_array(text, static_cast<WordId>(words), StopFlag()) == by_comparison(text));
    }
}

TEST_CASE("suffix arrays of repetitive texts") {
  for (int period = 1; period < 8; ++period) {
    std::vector<WordId> text;
    for (int i = 0; i < 300; ++i) text.push_back(i % period * (period - 3) % 5 + 20);
    CHECK(suffix_array(text, 64, StopFlag()) == by_comparison(text));
  }
  std::vector<WordId> fibonacci{1}, before{0};
  while (fibonacci.size() < 1000) {
    const std::vector<WordId> last = fibonacci;
    fibonacci.insert(fibonacci.end(), before.begin(), before.end());
    before = last;
  }
  CHECK(suffix_array(fibonacci, 2, StopFlag()) == by_comparison(fibonacci));
}

TEST_CASE("sorting suffixes can be interrupted") {
  StopFlag stop;
  stop.raise();
  CHECK_THROWS_AS(suffix_array(std::vector<WordId>{1, 0, 1}, 2, stop), Interrupted);
}
