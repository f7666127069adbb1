// The test framework of the core, in one header: named cases that register themselves, checks that
// continue after a failure and report file, line and both values. main.cpp runs the cases.
#pragma once

#include <atomic>
#include <iostream>
#include <mutex>
#include <sstream>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace demotic::test {

struct Case {
  std::string_view file;  // path of its source
  std::string_view name;
  void (*run)();
};

inline std::vector<Case>& cases() {
  static std::vector<Case> registered;
  return registered;
}

struct Registration {
  Registration(const char* file, const char* name, void (*run)()) {
    cases().push_back({file, name, run});
  }
};

inline std::atomic<int> failures{0};  // of the current case; checks may fail in any thread

// Thrown to end a case after many failures.
struct TooManyFailures {};
inline constexpr int kEnough = 10;

inline void report(const char* file, int line, const std::string& text) {
  static std::mutex one_at_a_time;
  std::lock_guard lock(one_at_a_time);
  std::cerr << file << ":" << line << ": " << text << std::endl;
  if (++failures >= kEnough) throw TooManyFailures{};
}

template <typename T>
std::string shown(const T& value) {
  std::ostringstream out;
  if constexpr (std::is_convertible_v<T, std::string_view>) {
    out << '"' << std::string_view(value) << '"';
  } else if constexpr (requires { out << value; }) {
    out << value;
  } else {
    out << "(a value that cannot be shown)";
  }
  return out.str();
}

template <typename Left, typename Right>
void check_equal(const Left& left, const Right& right, const char* text, const char* file,
                 int line) {
  bool equal;
  if constexpr (std::is_integral_v<Left> && std::is_integral_v<Right> &&
                !std::is_same_v<Left, Right>) {
    equal = std::cmp_equal(left, right);  // -1 is not the largest unsigned number here
  } else {
    equal = left == right;
  }
  if (!equal) report(file, line, std::string(text) + ": " + shown(left) + " != " + shown(right));
}

}  // namespace demotic::test

#define DEMOTIC_JOIN_(a, b) a##b
#define DEMOTIC_JOIN(a, b) DEMOTIC_JOIN_(a, b)
#define DEMOTIC_CASE(name, function)                                                           \
  static void function();                                                                      \
  static const demotic::test::Registration DEMOTIC_JOIN(function, _registered){__FILE__, name, \
                                                                               function};      \
  static void function()

// TEST_CASE("what holds") { ... }
#define TEST_CASE(name) DEMOTIC_CASE(name, DEMOTIC_JOIN(case_, __LINE__))

#define CHECK(condition)                                                                 \
  do {                                                                                   \
    if (!(condition)) demotic::test::report(__FILE__, __LINE__, #condition " is false"); \
  } while (false)

#define CHECK_EQ(left, right) \
  demotic::test::check_equal(left, right, #left " == " #right, __FILE__, __LINE__)

#define CHECK_THROWS_AS(expression, Type)                                              \
  do {                                                                                 \
    bool thrown_as_promised = false;                                                   \
    try {                                                                              \
      static_cast<void>(expression);                                                   \
    } catch (const Type&) {                                                            \
      thrown_as_promised = true;                                                       \
    } catch (const std::exception& other) {                                            \
      demotic::test::report(__FILE__, __LINE__,                                        \
                            #expression " throws " + std::string(other.what()));       \
    }                                                                                  \
    if (!thrown_as_promised)                                                           \
      demotic::test::report(__FILE__, __LINE__, #expression " does not throw " #Type); \
  } while (false)
