// Errors carry their fields and can be caught by their class.
#include "demotic/base/errors.h"

#include <cerrno>
#include <string>

#include "demotic/base/progress.h"
#include "demotic/base/stop.h"
#include "test.h"

namespace test = demotic::test;
using namespace demotic::all;

TEST_CASE("an error carries the fields it was given") {
  const FormatError error(
      {.path = "a.txt", .line = 7, .found = "x", .expected = "y", .advice = "do z"});
  CHECK_EQ(error.fault().path, "a.txt");
  CHECK_EQ(error.fault().line, 7);
  CHECK_EQ(error.fault().found, "x");
  CHECK_EQ(error.fault().expected, "y");
  CHECK_EQ(error.fault().advice, "do z");
  CHECK_EQ(std::string(error.what()), "x");
}

TEST_CASE("fields that do not apply are empty") {
  const ModelError error({.found = "x"});
  CHECK_EQ(error.fault().path, "");
  CHECK_EQ(error.fault().line, 0);
  CHECK_EQ(error.fault().advice, "");
}

TEST_CASE("every kind is an Error, and a kind is not another") {
  const auto thrown = [](auto error) { return [error] { throw error; }; };
  CHECK_THROWS_AS(thrown(FormatError({.found = "x"}))(), Error);
  CHECK_THROWS_AS(thrown(ModelError({.found = "x"}))(), Error);
  CHECK_THROWS_AS(thrown(IoError({.found = "x"}, ENOENT))(), Error);
  CHECK((!std::is_base_of_v<FormatError, ModelError>));
  CHECK((!std::is_base_of_v<Error, Interrupted>));
}

TEST_CASE("an IoError keeps the error number of the operating system") {
  CHECK_EQ(IoError({.found = "x"}, ENOSPC).code(), ENOSPC);
}

TEST_CASE("a stop flag throws only after it was raised") {
  StopFlag stop;
  stop.check();
  CHECK(!stop.raised());
  stop.raise();
  CHECK(stop.raised());
  CHECK_THROWS_AS(stop.check(), Interrupted);
}

TEST_CASE("progress adds up") {
  Progress progress;
  progress.expect(10);
  progress.advance();
  progress.advance(4);
  CHECK_EQ(progress.done(), 5);
  CHECK_EQ(progress.total(), 10);
}
