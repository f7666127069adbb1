// All derivations of the references of a corpus, found by forced decoding once for all weights, in
// one file that is opened by mapping it.
//
// A forest has nodes in topological order, the goal last; the edges into a node are adjacent. It
// has only what is part of a complete derivation. For phrases, a node is (covered words, end of the
// last phrase, target words so far), node 0 is the empty translation, and an edge has one tail. For
// Hiero, a node is an item [label, source span, target span], and an edge has one tail per gap, in
// the order of the rule's source side.
//
// Immutable; safe to share between threads.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "demotic/base/container.h"
#include "demotic/base/stop.h"
#include "demotic/rules/rule_store.h"

namespace demotic::force {

inline constexpr uint32_t kNoTail = UINT32_MAX;

struct GoldEdge {
  RuleId rule;                    // or a copied word or glue: features/dense/step.h
  std::array<uint32_t, 2> tails;  // nodes, or kNoTail
  uint16_t begin, end;            // covered source words
};
static_assert(sizeof(GoldEdge) == 16);

struct GoldNode {
  int16_t label;                      // Hiero: the left-hand side, -1 for glue; phrases: 0
  uint16_t source_begin, source_end;  // Hiero: the span; phrases: number of covered words, and
                                      // the end of the last phrase
  uint16_t target_begin, target_end;  // words of the reference; phrases: from 0
};
static_assert(sizeof(GoldNode) == 10);

// The derivations of one pair, or of a prefix of it.
struct GoldForest {
  int32_t pair;                          // number in the corpus
  int32_t source_length, target_length;  // derived words
  bool whole;                            // the whole pair, not a prefix
  std::span<const GoldNode> nodes;
  std::span<const uint32_t> edge_offsets;  // nodes + 1, from 0
  std::span<const GoldEdge> edges;

  std::span<const GoldEdge> into(uint32_t node) const noexcept {
    return edges.subspan(edge_offsets[node], edge_offsets[node + 1] - edge_offsets[node]);
  }
};

// Layout of a forest in the file: nodes, edge offsets and edges follow each other in words of 32
// bits, so that a forest is read from one place.
struct GoldHead {
  int32_t pair, source_length, target_length;
  uint32_t whole;
  uint32_t nodes, edges;
  uint64_t first;  // word in the file

  // Words of all nodes; the last is half used if their number is odd.
  uint64_t node_words() const noexcept {
    return (uint64_t{nodes} * sizeof(GoldNode) + 3) / sizeof(uint32_t);
  }
  uint64_t words() const noexcept {
    return node_words() + nodes + 1 + uint64_t{edges} * (sizeof(GoldEdge) / sizeof(uint32_t));
  }
};
static_assert(sizeof(GoldHead) == 32);

// Forests in the order of their pairs. Pairs without a forest are missing; the prefixes of a pair
// follow each other.
class GoldForests {
 public:
  // Throws as Container and RuleStore do.
  static GoldForests open(const std::string& path, bool verify, const StopFlag& stop);

  size_t size() const noexcept { return heads_.size(); }
  GoldForest operator[](size_t i) const noexcept;
  // Number of rules in the store that the edges refer to.
  RuleId rules() const noexcept { return rules_; }
  size_t size_bytes() const noexcept { return bytes_; }
  // As they are in the file.
  std::span<const GoldHead> heads() const noexcept { return heads_; }
  std::span<const uint32_t> words() const noexcept { return words_; }

 private:
  GoldForests() = default;
  bool sound() const;

  std::span<const GoldHead> heads_;
  std::span<const uint32_t> words_;
  RuleId rules_ = 0;
  size_t bytes_ = 0;
  std::shared_ptr<const Container> owner_;
};

struct FoundForest;

// Writes forests one by one; keeps 32 bytes per forest in memory. Without `commit` no file is left.
// Throws IoError.
class GoldForestsWriter {
 public:
  // `rules`: see GoldForests::rules.
  GoldForestsWriter(std::string path, RuleId rules);

  // Throws std::invalid_argument unless pairs come in rising order.
  void add(int32_t pair, const FoundForest& forest);
  // Adds all forests of a file, whose pairs come after those added before.
  void add(const GoldForests& more);
  void commit();

 private:
  ContainerWriter file_;
  RuleId rules_;
  std::vector<GoldHead> heads_;
  std::vector<uint32_t> words_;  // of the forest being written
  uint64_t written_ = 0;
};

}  // namespace demotic::force
