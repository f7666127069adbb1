// Rows of different lengths in one array, and the validity check of offsets.
#include "demotic/base/csr.h"

#include <algorithm>
#include <limits>
#include <vector>

#include "demotic/base/rng.h"
#include "test.h"

namespace test = demotic::test;
using namespace demotic::all;

namespace {

bool sound(std::vector<int64_t> offsets, size_t values) {
  const std::vector<char> room(values);
  return well_formed(CsrView<char>{offsets, room});
}

}  // namespace

TEST_CASE("rows are read back as they were added") {
  Rng rng(31);
  std::vector<std::vector<int>> rows(200);
  Csr<int> csr;
  for (auto& row : rows) {
    row.resize(rng.below(6));
    for (int& value : row) csr.values.push_back(value = static_cast<int>(rng.below(1000)));
    csr.end_row();
  }
  CHECK_EQ(csr.size(), rows.size());
  CHECK(well_formed(csr.view()));
  for (size_t i = 0; i < rows.size(); ++i) {
    CHECK(std::ranges::equal(csr[i], rows[i]));
    CHECK(std::ranges::equal(csr.view()[i], rows[i]));
  }
}

TEST_CASE("no rows, and rows without values") {
  CHECK_EQ(CsrView<int>{}.size(), 0u);
  CHECK_EQ(Csr<int>().size(), 0u);
  CHECK(well_formed(Csr<int>().view()));
  Csr<int, int32_t> empties;
  for (int i = 0; i < 3; ++i) empties.end_row();
  CHECK_EQ(empties.size(), 3u);
  CHECK(empties[0].empty() && empties[2].empty());
  CHECK(well_formed(empties.view()));
}

TEST_CASE("invalid offsets are detected") {
  constexpr int64_t kHuge = std::numeric_limits<int64_t>::max();
  CHECK(sound({0, 2, 2, 5}, 5));
  CHECK(!sound({}, 0));
  CHECK(!sound({1, 5}, 5));
  CHECK(!sound({0, 4}, 5));
  CHECK(!sound({0, 6}, 5));
  CHECK(!sound({0, 3, 2, 5}, 5));
  CHECK(!sound({0, -1, 5}, 5));
  CHECK(!sound({0, 6, 5}, 5));
  CHECK(!sound({0, kHuge, 5}, 5));
  CHECK(!sound({0, -1}, 5));
  CHECK(!sound({-5, 0}, 0));
}
