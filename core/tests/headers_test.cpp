// Linked with two files that include every public header (headers.cmake): the linker finds what
// both of them define.
#include "test.h"

namespace demotic::test {

extern const int header_count, header_count_again;

namespace {

TEST_CASE("every public header can be included in two files of a program") {
  CHECK(header_count > 100);
  CHECK_EQ(header_count, header_count_again);
}

}  // namespace
}  // namespace demotic::test
