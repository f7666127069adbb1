// What can go wrong, as types that a caller can catch. The core throws these and nothing else
// for a user's mistake; `std::invalid_argument` and `std::out_of_range` stand for a caller's.
//
// An error carries fields, not prose: the language that shows it to a person puts them together
// (src/demotic/errors.py), so the wording exists once.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>

#include "demotic/namespaces.h"

namespace demotic::base {

// Where and what. Empty strings and line 0 mean "does not apply". Lines count from 1.
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

// A file or a line that does not have the promised form.
class FormatError : public Error {
  using Error::Error;
};

// Pieces that are well formed but do not fit each other: versions, vocabularies, features.
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
