// Splits text without spaces into words with a unigram model: the segmentation of a run of units
// (characters with their marks) that maximises the sum of the log probabilities of its words.
//
// A unit that no word covers becomes a word. Ties go to the longer last word. Cost of a run of n
// units: O(n L) time and O(n) memory, where L is the length of the longest word. Immutable; one
// instance can be used by all threads.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "demotic/namespaces.h"

namespace demotic::text {

class UnitTrie;

class Segmenter {
 public:
  // Throws std::invalid_argument if the lengths differ, a word is empty or not UTF-8, or a log
  // probability is positive or not finite.
  Segmenter(std::span<const std::string> words, std::span<const double> log_probs);
  ~Segmenter();
  Segmenter(Segmenter&&) noexcept;

  int64_t size() const noexcept { return words_; }

  // Joins units to words: the number of units of each word.
  std::vector<int32_t> segment(std::span<const std::string_view> units) const;

 private:
  std::unique_ptr<UnitTrie> trie_;
  std::vector<double> log_probs_;  // by node of the trie
  double unknown_ = 0;             // log probability of a unit that is not a word
  int64_t words_ = 0;
};

}  // namespace demotic::text
