// A mapped file has the bytes of the file; a file that cannot be mapped is an IoError.
#include "demotic/base/mapped_file.h"

#include <cerrno>
#include <cstring>

#include "demotic/base/errors.h"
#include "scratch.h"
#include "test.h"

namespace test = demotic::test;
using namespace demotic::all;
using test::Scratch;

namespace {

int refusal(const std::string& path) {
  try {
    MappedFile file(path);
  } catch (const IoError& error) {
    CHECK_EQ(error.fault().path, path);
    return error.code();
  }
  return 0;
}

}  // namespace

TEST_CASE("the bytes are those of the file, whatever its size") {
  Scratch scratch;
  for (size_t size : {0u, 1u, 4095u, 4096u, 4097u, 100000u}) {
    std::string text(size, 'x');
    if (size > 0) text.back() = 'y';
    test::write_file(scratch / "f", text);
    const MappedFile file(scratch / "f");
    CHECK_EQ(file.bytes().size(), size);
    CHECK(size == 0 || std::memcmp(file.bytes().data(), text.data(), size) == 0);
  }
}

TEST_CASE("a mapped file is unchanged after another file was renamed over it") {
  Scratch scratch;
  test::write_file(scratch / "f", "old");
  const MappedFile file(scratch / "f");
  test::write_file(scratch / "g", "new");
  std::filesystem::rename(scratch / "g", scratch / "f");
  CHECK_EQ(static_cast<char>(file.bytes()[0]), 'o');
  CHECK_EQ(static_cast<char>(MappedFile(scratch / "f").bytes()[0]), 'n');
}

TEST_CASE("a path that does not exist or is not a file is refused with the reason") {
  Scratch scratch;
  CHECK_EQ(refusal(scratch / "missing"), ENOENT);
  CHECK_EQ(refusal(scratch.folder().string()), EINVAL);
  CHECK_EQ(refusal(""), ENOENT);
#ifndef _WIN32
  CHECK_EQ(refusal("/dev/null"), EINVAL);
#endif
}

TEST_CASE("a name with a zero byte is not truncated there") {
  Scratch scratch;
  test::write_file(scratch / "f", "x");
  CHECK_EQ(refusal((scratch / "f") + std::string("\0g", 2)), EINVAL);
}
