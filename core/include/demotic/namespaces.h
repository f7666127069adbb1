// The folders of the core are its namespaces. Each sees the names of the folders below it without
// qualification, and no others: what is listed here is what ARCHITECTURE.md allows.
#pragma once

namespace demotic {

namespace base {}
namespace text {
using namespace base;
}
namespace align {
using namespace base;
using namespace text;
}  // namespace align
namespace lm {
using namespace base;
using namespace text;
}  // namespace lm
namespace rules {
using namespace base;
using namespace text;
using namespace align;
}  // namespace rules
namespace metrics {
using namespace base;
using namespace text;
}  // namespace metrics
namespace forest {
using namespace base;
using namespace text;
using namespace rules;
using namespace metrics;
}  // namespace forest
namespace features {
using namespace base;
using namespace text;
using namespace rules;
}  // namespace features
namespace search {
using namespace base;
using namespace text;
using namespace lm;
using namespace rules;
using namespace metrics;
using namespace forest;
using namespace features;
}  // namespace search
namespace force {
using namespace search;
}
namespace learn {
using namespace search;
using namespace force;
}  // namespace learn

// For users of the whole library: bindings, tests.
namespace all {
using namespace align;
using namespace learn;
}  // namespace all

}  // namespace demotic
