// The steps of a searched sentence as parts that its derivations share: a part is a translation
// option and, with joint features, what they see of the translation so far. All steps of a part
// have the same sparse features, so the features of a list of candidates are those of a few parts.
// Valid until the next search; not thread-safe.
#pragma once

#include <array>
#include <bit>
#include <utility>
#include <vector>

#include "demotic/base/flat_map.h"
#include "demotic/search/step.h"

namespace demotic::search {

template <typename Steps>
class StepParts {
 public:
  using Edge = typename Steps::Edge;

  explicit StepParts(const Steps& steps) : steps_(steps) {}

  // The part of a step, numbered from 0 in order of first use; -1 if it has no sparse features.
  int32_t part_of(const Edge& edge, uint32_t head) {
    if (is_glue(steps_.step(edge, head).rule)) return -1;
    const auto [part, fresh] = parts_.insert({edge.option, steps_.past(edge)});
    if (fresh) {
      part = static_cast<int32_t>(examples_.size());
      examples_.emplace_back(edge, head);
    }
    return part;
  }

  size_t size() const noexcept { return examples_.size(); }
  // Appends the features of a part.
  void add_keys(int32_t part, std::vector<FeatureKey>& keys) const {
    steps_.add_keys(examples_[part].first, examples_[part].second, keys);
  }

 private:
  struct Key {
    uint32_t option;
    SparseFeatures::Past past;
    friend bool operator==(const Key&, const Key&) = default;
  };
  struct Hash {
    uint64_t operator()(const Key& key) const noexcept {
      const auto [a, b] = std::bit_cast<std::array<uint64_t, 2>>(key);
      return mix64(mix64(a) ^ b);
    }
  };

  const Steps& steps_;
  FlatMap<Key, int32_t, Hash> parts_;
  std::vector<std::pair<Edge, uint32_t>> examples_;  // a step of each part, with its head
};

}  // namespace demotic::search
