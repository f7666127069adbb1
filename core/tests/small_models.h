// A vocabulary of letters, and language models, phrases and sentences of them, drawn at random.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "demotic/base/rng.h"
#include "demotic/lm/arpa.h"
#include "demotic/rules/rule_store_writer.h"

namespace demotic::test {
using namespace all;

inline const StopFlag kNever;
inline constexpr WordId kWords = 5;  // in the vocabulary, after the reserved ones

inline Vocabulary words() {
  VocabularyBuilder builder;
  for (WordId i = 0; i < kWords; ++i) builder.add(std::string(1, static_cast<char>('a' + i)));
  return builder.finish();
}

inline LanguageModel bigrams(Rng& rng) {
  std::string text, pairs;
  int count = 0;
  const auto number = [&] { return std::to_string(-3 * rng.uniform()); };
  for (WordId i = 0; i < kWords; ++i) {
    const std::string word(1, static_cast<char>('a' + i));
    text += number() + "\t" + word + "\t" + number() + "\n";
    for (WordId k = 0; k < kWords; ++k)
      if (rng.below(3) == 0)
        ++count, pairs += number() + "\t" + word + " " + static_cast<char>('a' + k) + "\n";
  }
  ++count, pairs += number() + "\t<s> a\n";
  text = "\\data\\\nngram 1=" + std::to_string(kWords + 3) + "\nngram 2=" + std::to_string(count) +
         "\n\n\\1-grams:\n-2\t<unk>\n-99\t<s>\t-0.4\n-1\t</s>\n" + text + "\n\\2-grams:\n" + pairs +
         "\n\\end\\\n";
  ArpaReader reader("bigrams", false);
  reader.feed(text);
  return LanguageModel::build(reader.finish(), kNever);
}

// Phrases of one word (all words but the last) and some of two, with one or two rules each. Two of
// three rules occur in only one of four sentences; those of sentence `without` are omitted.
inline RuleStore rules(Rng& rng, const std::string& path, int32_t without = -1) {
  std::vector<WordId> all(kWords);
  for (WordId i = 0; i < kWords; ++i) all[i] = kReservedWords + i;
  RuleStoreWriter writer(path, {"score"}, {"X", "S"}, all);
  std::vector<uint32_t> targets;
  for (const WordId first : all) {
    targets.push_back(writer.add_target(std::vector<Symbol>{first}, 1));
    targets.push_back(writer.add_target(std::vector<Symbol>{first, all[rng.below(kWords)]}, 1));
  }
  const std::vector<RuleLink> links = {{0, 0}};
  const auto add = [&](std::vector<Symbol> source) {
    const size_t first = rng.below(targets.size() - 1), count = 1 + rng.below(2);
    bool begun = false;
    for (size_t i = first; i < first + count; ++i) {
      const std::vector<float> score = {static_cast<float>(-rng.uniform())};
      const int32_t only = rng.below(3) ? static_cast<int32_t>(rng.below(4)) : -1;
      if (only >= 0 && only == without) continue;
      if (!std::exchange(begun, true)) writer.begin_source(source, 2);
      writer.add_rule({targets[i], links, only < 0 ? 2 : 1, only, kLabelX, score});
    }
  };
  for (size_t i = 0; i + 1 < all.size(); ++i) {
    add({all[i]});
    for (const WordId next : all)
      if (rng.below(2)) add({all[i], next});
  }
  writer.commit();
  return RuleStore::open(path, true, kNever);
}

// A sentence of random words of the vocabulary.
inline std::string sentence(Rng& rng, int length) {
  std::string text;
  for (int i = 0; i < length; ++i) text += std::string(1, 'a' + rng.below(kWords)) + " ";
  return text;
}

}  // namespace demotic::test
