// Sparse features: indicators that fire when a rule is applied to a span of a sentence. A feature
// is a packed integer, its key; its name is computed only on request. A few features have other
// values than 1, see feature_values.h.
//
// Features are grouped by what they depend on, so that a search sums their weights as early and as
// rarely as possible: the rule alone (once per model), the source words in and around the span
// (once per span), or both (once per translation option). These are local: they cost nothing while
// hypotheses are extended. Joint features also depend on the translation so far, which restricts
// recombination; few models have them.
//
// Both classes are immutable during a search and may be shared between threads.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "demotic/base/flat_map.h"
#include "demotic/rules/rule_store.h"

namespace demotic::features {

using FeatureKey = uint64_t;

struct FeatureValue {
  FeatureKey key;
  double value;
};

// A labelled span of source words, half open.
struct Constituent {
  int32_t begin, end;
  int32_t label;  // see SparseFeatures::constituent_label
};

// The source words that features look at.
struct SentenceWords {
  std::span<const WordId> words;
  WordId after;  // the word after the last one; normally kSentenceEnd
  // The tags of the tokens (see SparseFeatures::token_tag), including that of `after` if it is a
  // word; empty if they are not known.
  std::span<const int32_t> tags = {};
  std::span<const Constituent> constituents = {};  // of its tree, those with a label
  // All tags and constituents as they were given; empty unless SparseFeatures::reads_annotations.
  std::string_view tag_text = {}, tree_text = {};
};

// First and last symbol of a target side, encoded by the implementation of SparseFeatures.
struct TargetEdges {
  uint32_t first, last;
};

// The keys of several rules, storing what the rules share only once. Features are divided into
// parts; each rule has one group of keys per part.
struct SharedKeysView {
  std::span<const FeatureKey> keys;
  std::span<const uint32_t> ends;  // end of each group in `keys`
  // Group of each rule for the first part, then for the second, ...
  std::span<const uint32_t> groups;
  size_t parts = 0;
};

struct SharedKeys {
  std::vector<FeatureKey> keys;
  std::vector<uint32_t> ends, groups;
  size_t parts = 0;

  // Scratch for whoever fills it.
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
  // Ends a group and returns its index.
  uint32_t end_group() {
    ends.push_back(static_cast<uint32_t>(keys.size()));
    return static_cast<uint32_t>(ends.size() - 1);
  }
};

class WeightCache;

class SparseFeatures {
 public:
  virtual ~SparseFeatures() = default;

  // Each function appends the keys that fire, in a fixed order and without duplicates.
  virtual void add_rule_keys(RuleId rule, std::vector<FeatureKey>& keys) const = 0;
  virtual void add_span_keys(const SentenceWords& sentence, int32_t begin, int32_t end,
                             std::vector<FeatureKey>& keys) const = 0;
  virtual void add_mixed_keys(RuleId rule, const SentenceWords& sentence, int32_t begin,
                              int32_t end, std::vector<FeatureKey>& keys) const = 0;

  // Whether the rule may have mixed features in any sentence.
  virtual bool has_mixed(RuleId) const { return true; }

  // The same keys for several rules with one source side, none of them kNoRule; overwrites
  // `shared`.
  virtual void share_rule_keys(std::span<const RuleId> rules, SharedKeys& shared) const;
  virtual void share_mixed_keys(std::span<const RuleId> rules, const SentenceWords& sentence,
                                int32_t begin, int32_t end, SharedKeys& shared) const;

  // Whether features may have other values than 1; whether a key is that of such a feature with its
  // value; and which. Keys of that kind may be forgotten some seconds after they were returned:
  // look them up before the next sentence. Throws ModelError for a key that is not known any more.
  virtual bool has_values() const noexcept { return false; }
  virtual bool has_value(FeatureKey) const noexcept { return false; }
  virtual FeatureValue feature_of(FeatureKey key) const { return {key, 1}; }

  // Whether features look at the tags of tokens, and the number of a tag there.
  virtual bool has_token_tags() const noexcept { return false; }
  virtual int32_t token_tag(std::string_view) const { return 0; }
  // Whether features look at constituents, and the number of a label there; -1 if none does.
  virtual bool has_constituents() const noexcept { return false; }
  virtual int32_t constituent_label(std::string_view) const { return -1; }

  // Whether features look at tags and constituents as text.
  virtual bool reads_annotations() const noexcept { return false; }

  // Features of the gaps of a rule depend on whether a gap is reordered (RuleStore::reordered_gaps)
  // and on the number of source words that it covers, from 1 to kMaxGapSize.
  virtual bool has_gaps() const noexcept { return false; }
  virtual void add_gap_keys(bool /*reordered*/, int32_t /*size*/, std::vector<FeatureKey>&) const {}

  // What joint features see of the translation so far. Values that no feature depends on are set to
  // kNoRule or -1, so that hypotheses recombine whenever possible.
  struct Past {
    RuleId rule;                  // the last rule; kNoRule at the beginning and after copied words
    std::array<WordId, 2> words;  // the last two words of the translation; kSentenceBegin before it
    friend bool operator==(const Past&, const Past&) = default;
  };
  virtual bool joint() const noexcept { return false; }
  // The past without the values that no feature depends on.
  virtual Past relevant(const Past&) const noexcept { return {kNoRule, {-1, -1}}; }
  virtual void add_joint_keys(const Past&, RuleId, std::vector<FeatureKey>&) const {}
};

// Weights by key; missing keys have weight 0.
class SparseWeights {
 public:
  virtual ~SparseWeights() = default;

  // Sums the weights of each group of keys; group g ends at ends[g]. Duplicates count, and keys are
  // added in order. Faster than single look-ups because cache misses overlap.
  virtual void sums(std::span<const FeatureKey> keys, std::span<const uint32_t> ends,
                    std::span<double> sums) const = 0;
  virtual float weight(FeatureKey key) const noexcept = 0;

  // A cache of the current weights, for weights that change; null if they do not change.
  virtual WeightCache* cache() const noexcept { return nullptr; }

  float sum(std::span<const FeatureKey> keys) const {
    const auto end = static_cast<uint32_t>(keys.size());
    double total = 0;
    sums(keys, {&end, 1}, {&total, 1});
    return static_cast<float>(total);
  }
};

// The sparse features of a model and their weights; empty if it has none.
struct Sparse {
  std::shared_ptr<const SparseFeatures> features;
  std::shared_ptr<const SparseWeights> weights;

  explicit operator bool() const noexcept { return features != nullptr; }
};

}  // namespace demotic::features
