// Exceptions that a caller can catch. For user errors the core throws only these;
// `std::invalid_argument` and `std::out_of_range` indicate an error of the caller.
//
// An error carries fields, not prose: the language that displays it composes the message
// (src/demotic/errors.py), so the wording exists only once.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>

#include "demotic/namespaces.h"

namespace demotic::base {

// Empty strings and line 0 mean "does not apply". Lines count from 1.
struct Fault {
  std::string path{};
  int64_t line = 0;
  std::string found{};
  std::string expected{};
  std::string advice{};
};

class Error : public std::runtime_error {
 public:
  explicit Error(Fault fault) : std::runtime_error(fault.found), fault_(std::move(fault)) {}
  const Fault& fault() const noexcept { return fault_; }

 private:
  Fault fault_;
};

// A file or line that does not have the expected format.
class FormatError : public Error {
  using Error::Error;
};

// Well-formed parts that do not fit together: versions, vocabularies, features.
class ModelError : public Error {
  using Error::Error;
};

// The operating system refused. `code` is errno (or GetLastError on Windows).
class IoError : public Error {
 public:
  IoError(Fault fault, int code) : Error(std::move(fault)), code_(code) {}
  int code() const noexcept { return code_; }

 private:
  int code_;
};

// The stop flag was raised; see stop.h.
class Interrupted : public std::exception {
 public:
  const char* what() const noexcept override { return "interrupted"; }
};

}  // namespace demotic::base
