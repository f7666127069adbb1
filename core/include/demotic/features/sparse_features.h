// Sparse features: indicators that fire when a rule is used on some words of a sentence. A feature
// is a packed integer, its key; no string stands for it before somebody asks for its name.
//
// They come in groups by what they look at, so that a search can sum up their weights as early and
// as seldom as possible: the rule alone (once a model), the source words of a span and around it
// (once a span), both (once an option). All these are local: they cost nothing while hypotheses are
// extended. Joint features also look at what was translated before, and hypotheses that differ in
// that cannot be recombined; few models have them.
//
// Objects of both classes are immutable while a search uses them; safe to share between threads.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "demotic/base/flat_map.h"
#include "demotic/rules/rule_store.h"

namespace demotic::features {

using FeatureKey = uint64_t;

// A sentence as features see it.
struct SentenceWords {
  std::span<const WordId> words;
  WordId after;  // the word that follows; kSentenceEnd at the end of the text, as a rule
};

// What stands at the edges of a target side; the numbers are those of whoever made them.
struct TargetEdges {
  uint32_t first, last;
};

// The keys of several rules, with what rules have in common only once. Features come in parts, and
// of each part a rule has one group of keys.
struct SharedKeysView {
  std::span<const FeatureKey> keys;
  std::span<const uint32_t> ends;    // of the groups, in the keys
  std::span<const uint32_t> groups;  // of all rules in the first part, then in the second, ...
  size_t parts = 0;
};

struct SharedKeys {
  std::vector<FeatureKey> keys;
  std::vector<uint32_t> ends, groups;
  size_t parts = 0;

  // Scratch of whoever fills it.
  std::vector<TargetEdges> edges;
  std::vector<FeatureKey> bases;
  FlatMap<uint64_t, uint32_t> known;

  void clear() noexcept {
    keys.clear();
    ends.clear();
    groups.clear();
    parts = 0;
  }
  SharedKeysView view() const noexcept { return {keys, ends, groups, parts}; }
  // Ends a group; its number.
  uint32_t end_group() {
    ends.push_back(static_cast<uint32_t>(keys.size()));
    return static_cast<uint32_t>(ends.size() - 1);
  }
};

class KeptWeights;

class SparseFeatures {
 public:
  virtual ~SparseFeatures() = default;

  // All of these append the keys that fire, in a fixed order, a key once.
  virtual void add_rule_keys(RuleId rule, std::vector<FeatureKey>& keys) const = 0;
  virtual void add_span_keys(const SentenceWords& sentence, int32_t begin, int32_t end,
                             std::vector<FeatureKey>& keys) const = 0;
  virtual void add_mixed_keys(RuleId rule, const SentenceWords& sentence, int32_t begin,
                              int32_t end, std::vector<FeatureKey>& keys) const = 0;

  // The same keys for several rules of one source side, none of them kNoRule; replaces `shared`.
  virtual void share_rule_keys(std::span<const RuleId> rules, SharedKeys& shared) const;
  virtual void share_mixed_keys(std::span<const RuleId> rules, const SentenceWords& sentence,
                                int32_t begin, int32_t end, SharedKeys& shared) const;

  // What joint features know of the past. Parts that no feature looks at are kNone of their kind,
  // so that hypotheses recombine as far as they may.
  struct Past {
    RuleId rule;                  // the last; kNoRule at the beginning and after copied words
    std::array<WordId, 2> words;  // the last two of the translation; kSentenceBegin before it
    friend bool operator==(const Past&, const Past&) = default;
  };
  virtual bool joint() const noexcept { return false; }
  // The past with all that no feature looks at taken out.
  virtual Past relevant(const Past&) const noexcept { return {kNoRule, {-1, -1}}; }
  virtual void add_joint_keys(const Past&, RuleId, std::vector<FeatureKey>&) const {}
};

// Weights by key; a key that is not there weighs 0.
class SparseWeights {
 public:
  virtual ~SparseWeights() = default;

  // The sums over groups of keys, which end at `ends`; each key as often as it is there, in their
  // order. Many keys at once are faster than one after the other: their memory is asked for ahead.
  virtual void sums(std::span<const FeatureKey> keys, std::span<const uint32_t> ends,
                    std::span<double> sums) const noexcept = 0;
  virtual float weight(FeatureKey key) const noexcept = 0;

  // Where copies of weights that change are kept, and always the weights of the moment. Null if
  // they do not change.
  virtual KeptWeights* kept() const noexcept { return nullptr; }

  float sum(std::span<const FeatureKey> keys) const noexcept {
    const auto end = static_cast<uint32_t>(keys.size());
    double total = 0;
    sums(keys, {&end, 1}, {&total, 1});
    return static_cast<float>(total);
  }
};

// The sparse part of a model; empty if it has none.
struct Sparse {
  std::shared_ptr<const SparseFeatures> features;
  std::shared_ptr<const SparseWeights> weights;

  explicit operator bool() const noexcept { return features != nullptr; }
};

}  // namespace demotic::features
