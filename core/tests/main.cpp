// Runs the registered cases: all of them, those of a file (core_tests lm_test), or those whose name
// contains the first argument.
#include <exception>
#include <filesystem>

#include "test.h"

namespace {

bool passes(const demotic::test::Case& one) {
  using namespace demotic::test;
  failures = 0;
  try {
    one.run();
  } catch (const TooManyFailures&) {
    std::cerr << "... further failures of this case are not shown\n";
  } catch (const std::exception& error) {
    std::cerr << "unexpected exception: " << error.what() << "\n";
    ++failures;
  } catch (...) {
    std::cerr << "unexpected exception\n";
    ++failures;
  }
  if (failures > 0) std::cerr << "FAILED: " << one.name << "\n";
  return failures == 0;
}

bool wanted(const demotic::test::Case& one, std::string_view part) {
  const std::string file = std::filesystem::path(one.file).stem().string();
  return part == file || one.name.find(part) != one.name.npos;
}

}  // namespace

int main(int argc, char** argv) {
  int passed = 0, failed = 0;
  for (const demotic::test::Case& one : demotic::test::cases()) {
    if (argc > 1 && !wanted(one, argv[1])) continue;
    ++(passes(one) ? passed : failed);
  }
  std::cout << passed << " passed, " << failed << " failed\n";
  return failed == 0 && passed > 0 ? 0 : 1;
}
