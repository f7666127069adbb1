// The steps of a searched sentence as parts that its derivations share. A step has a local part,
// that of its translation option on its span, and if there are joint features, a part for them:
// that of its rule and of what they see of the translation before it. Each gap of a rule is a part
// if there are features of gaps. The features of a list of candidates are thus those of a few
// parts. Valid until the next search; not thread-safe.
#pragma once

#include <array>
#include <bit>
#include <vector>

#include "demotic/base/flat_map.h"
#include "demotic/features/feature_values.h"
#include "demotic/rules/gap_reordering.h"
#include "demotic/search/step.h"

namespace demotic::search {

template <typename Steps>
class StepParts {
 public:
  using Edge = typename Steps::Edge;

  explicit StepParts(const Steps& steps) : steps_(steps) {}

  // Appends the parts of a step, numbered from 0 in order of first use; none without features.
  void append(const Edge& edge, uint32_t head, std::vector<int32_t>& parts) {
    const RuleId rule = steps_.step(edge, head).rule;
    if (is_glue(rule)) return;
    const auto [local, unknown] = local_.insert(steps_.option_on_span(edge, head));
    if (unknown) local = add({edge, head, kLocal});
    parts.push_back(local);
    steps_.for_each_sparse_gap(edge, [&](bool reordered, int32_t size) {
      int32_t& part = gaps_[reordered][size];
      if (part == 0) part = add({edge, head, kGap, reordered, size}) + 1;
      parts.push_back(part - 1);
    });
    if (!steps_.joint() || !is_stored(rule)) return;
    const auto [part, fresh] = joint_.insert({rule, steps_.past(edge)});
    if (fresh) part = add({edge, head, kJoint});
    parts.push_back(part);
  }

  size_t size() const noexcept { return examples_.size(); }
  // Appends the features of a part, and their values unless all are 1 (see take_values).
  void add_keys(int32_t part, std::vector<FeatureKey>& keys, std::vector<double>& values) const {
    const Example& one = examples_[part];
    if (one.kind == kJoint)
      steps_.add_joint_keys(one.edge, keys);
    else if (one.kind == kGap)
      steps_.add_gap_keys(one.reordered, one.size, keys);
    else
      steps_.add_local_keys(one.edge, one.head, keys);
    take_values(steps_.sparse_features(), keys, values);
  }

 private:
  enum Kind : uint8_t { kLocal, kJoint, kGap };
  // A step that has the part.
  struct Example {
    Edge edge;
    uint32_t head;
    Kind kind;
    bool reordered = false;  // of a gap
    int32_t size = 0;
  };
  struct JointKey {
    RuleId rule;
    SparseFeatures::Past past;
    friend bool operator==(const JointKey&, const JointKey&) = default;
  };
  struct Hash {
    uint64_t operator()(const JointKey& key) const noexcept {
      const auto [a, b] = std::bit_cast<std::array<uint64_t, 2>>(key);
      return mix64(mix64(a) ^ b);
    }
  };

  int32_t add(const Example& example) {
    examples_.push_back(example);
    return static_cast<int32_t>(examples_.size()) - 1;
  }

  const Steps& steps_;
  FlatMap<uint64_t, int32_t> local_;  // by option and span
  FlatMap<JointKey, int32_t, Hash> joint_;
  std::array<std::array<int32_t, kMaxGapSize + 1>, 2> gaps_{};  // part + 1 by order and size, or 0
  std::vector<Example> examples_;                               // by part
};

}  // namespace demotic::search
