// Compiles a numeric loop for several vector widths and picks the widest that the machine supports.
// The results are bit-identical: there is no contraction (-ffp-contract=off), and sums are written
// in fixed lanes.
#pragma once

#include <cmath>

#if defined(__x86_64__) && defined(__linux__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(DEMOTIC_NO_CLONES)
#define DEMOTIC_CLONES __attribute__((target_clones("default", "arch=x86-64-v3", "arch=x86-64-v4")))
#else
#define DEMOTIC_CLONES
#endif

// For functions called in such a loop: inlined, or they would be compiled for the oldest machine.
#if defined(__GNUC__)
#define DEMOTIC_INLINE inline __attribute__((always_inline))
#else
#define DEMOTIC_INLINE inline
#endif

#include "demotic/namespaces.h"

namespace demotic::base {

// Sums logarithms of many factors with few calls of log. Factors must be between 1e-30 and 1.
class LogSum {
 public:
  void add(float factor) {
    product_ *= static_cast<double>(factor);
    if (product_ < 1e-270) flush();
  }
  double total() {
    flush();
    return total_;
  }

 private:
  void flush() {
    total_ += std::log(product_);
    product_ = 1;
  }
  double product_ = 1, total_ = 0;
};

}  // namespace demotic::base
