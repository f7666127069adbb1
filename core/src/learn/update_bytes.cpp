#include "demotic/learn/update_bytes.h"

#include <cstring>
#include <stdexcept>

namespace demotic::learn {
namespace {

// Before the dense values, keys and deltas of each update.
struct Head {
  double violation;
  uint64_t dense, sparse;  // numbers of values
  int32_t bin, bins;
  uint8_t valid, updates, correct;
  uint8_t unused[5];
};
static_assert(sizeof(Head) == 40);

template <typename T>
void put(std::string& bytes, const T& value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof(T));
}

class Reader {
 public:
  explicit Reader(std::string_view bytes) : rest_(bytes) {}

  bool done() const noexcept { return rest_.empty(); }
  size_t size() const noexcept { return rest_.size(); }

  template <typename T>
  T take() {
    if (rest_.size() < sizeof(T)) throw std::invalid_argument("an update that is cut off");
    T value;
    std::memcpy(&value, rest_.data(), sizeof(T));
    rest_.remove_prefix(sizeof(T));
    return value;
  }

 private:
  std::string_view rest_;
};

}  // namespace

std::string to_bytes(std::span<const SentenceUpdate> updates) {
  std::string bytes;
  for (const SentenceUpdate& one : updates) {
    put(bytes, Head{.violation = one.chosen.violation,
                    .dense = one.dense.size(),
                    .sparse = one.sparse.size(),
                    .bin = one.chosen.bin,
                    .bins = one.bins,
                    .valid = one.chosen.valid,
                    .updates = one.chosen.updates,
                    .correct = one.correct,
                    .unused = {}});
    for (const double value : one.dense) put(bytes, value);
    for (const KeyDelta& delta : one.sparse) {
      put(bytes, delta.key);
      put(bytes, delta.delta);
    }
  }
  return bytes;
}

std::vector<SentenceUpdate> updates_from(std::string_view bytes, size_t dense) {
  std::vector<SentenceUpdate> updates;
  Reader reader(bytes);
  while (!reader.done()) {
    const auto head = reader.take<Head>();
    if (head.dense != 0 && head.dense != dense)
      throw std::invalid_argument("updates of another model");
    if (head.sparse > reader.size()) throw std::invalid_argument("an update that is cut off");
    SentenceUpdate& one = updates.emplace_back();
    one.chosen = {.bin = head.bin,
                  .violation = head.violation,
                  .valid = head.valid != 0,
                  .updates = head.updates != 0};
    one.correct = head.correct != 0;
    one.bins = head.bins;
    for (uint64_t i = 0; i < head.dense; ++i) one.dense.push_back(reader.take<double>());
    for (uint64_t i = 0; i < head.sparse; ++i) {
      const auto key = reader.take<FeatureKey>();
      one.sparse.push_back({.key = key, .delta = reader.take<float>()});
    }
    if (one.chosen.updates && one.dense.size() != dense)
      throw std::invalid_argument("an update without dense features");
  }
  return updates;
}

}  // namespace demotic::learn
