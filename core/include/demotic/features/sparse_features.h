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

#include "demotic/rules/rule_store.h"

namespace demotic {

using FeatureKey = uint64_t;

// A sentence as features see it.
struct SentenceWords {
  std::span<const WordId> words;
  WordId after;  // the word that follows; kSentenceEnd at the end of the text, as a rule
};

class SparseFeatures {
 public:
  virtual ~SparseFeatures() = default;

  // All of these append the keys that fire, in a fixed order, a key once.
  virtual void add_rule_keys(RuleId rule, std::vector<FeatureKey>& keys) const = 0;
  virtual void add_span_keys(const SentenceWords& sentence, int32_t begin, int32_t end,
                             std::vector<FeatureKey>& keys) const = 0;
  virtual void add_mixed_keys(RuleId rule, const SentenceWords& sentence, int32_t begin,
                              int32_t end, std::vector<FeatureKey>& keys) const = 0;

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

  // The sum over keys, each as often as it is there, in their order.
  virtual float sum(std::span<const FeatureKey> keys) const noexcept = 0;
  virtual float weight(FeatureKey key) const noexcept = 0;
};

// The sparse part of a model; empty if it has none.
struct Sparse {
  std::shared_ptr<const SparseFeatures> features;
  std::shared_ptr<const SparseWeights> weights;

  explicit operator bool() const noexcept { return features != nullptr; }
};

}  // namespace demotic
