#include "demotic/learn/update_bytes.h"

#include "test.h"

namespace demotic::test {
using namespace all;
namespace {

std::vector<SentenceUpdate> some_updates() {
  SentenceUpdate update;
  update.chosen = {.bin = 3, .violation = -0.25, .valid = false, .updates = true};
  update.bins = 4;
  update.dense = {1.5, -2};
  update.sparse = {{.key = 7, .delta = 0.5F}, {.key = ~FeatureKey{0}, .delta = -1}};
  SentenceUpdate nothing;
  nothing.correct = true;
  return {update, nothing};
}

bool refused(std::string_view bytes, size_t dense) {
  try {
    updates_from(bytes, dense);
  } catch (const std::invalid_argument&) {
    return true;
  }
  return false;
}

TEST_CASE("updates survive as bytes, and parts can be concatenated") {
  const auto updates = some_updates();
  const std::string bytes = to_bytes(std::span(updates).first(1)) +
                            to_bytes(std::span(updates).subspan(1)) + to_bytes(updates);
  const auto found = updates_from(bytes, 2);
  CHECK_EQ(found.size(), size_t{4});
  for (size_t i = 0; i < found.size(); ++i) {
    const SentenceUpdate &one = found[i], &sent = updates[i % 2];
    CHECK(one.chosen.bin == sent.chosen.bin && one.chosen.violation == sent.chosen.violation);
    CHECK(one.chosen.valid == sent.chosen.valid && one.chosen.updates == sent.chosen.updates);
    CHECK(one.correct == sent.correct && one.bins == sent.bins && one.dense == sent.dense);
    CHECK(one.sparse.size() == sent.sparse.size());
    for (size_t k = 0; k < one.sparse.size(); ++k)
      CHECK(one.sparse[k].key == sent.sparse[k].key && one.sparse[k].delta == sent.sparse[k].delta);
  }
}

TEST_CASE("bytes that are cut off or of another model are refused") {
  const auto updates = some_updates();
  const std::string bytes = to_bytes(updates);
  const size_t first = to_bytes(std::span(updates).first(1)).size();
  CHECK(updates_from({}, 2).empty());
  for (size_t size = 1; size < bytes.size(); ++size)
    CHECK(refused(std::string_view(bytes).substr(0, size), 2) == (size != first));
  CHECK(refused(bytes, 3));
  CHECK(refused(std::string(40, '\xff'), 2));
}

}  // namespace
}  // namespace demotic::test
