// Which source words a phrase hypothesis may translate next, as walls and zones allow. Not
// thread-safe; use one instance per search.
#pragma once

#include <vector>

#include "demotic/search/constraints.h"
#include "demotic/search/coverage.h"

namespace demotic::search {

class OrderGate {
 public:
  // Call for the hypotheses with one coverage. No phrase may end after `reach` unless it begins
  // with the first open word: the distortion limit. A zone that would is not begun either, since
  // the words before it could not be reached after it.
  void enter(const SentenceConstraints& constraints, const CoverageTable& table, CoverageId covered,
             int32_t reach);
  bool allows(int32_t begin, int32_t end) const noexcept;

 private:
  WordSpan window_;                // the innermost zone that has been begun
  std::vector<WordSpan> blocked_;  // behind walls, or zones that may not be begun
};

}  // namespace demotic::search
