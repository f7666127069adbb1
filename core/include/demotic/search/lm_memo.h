// A cache of recent language model queries: search repeats the same (state, word) many times, and a
// small table stays in the CPU cache. Not thread-safe; use one instance per thread.
#pragma once

#include <cstdint>
#include <vector>

#include "demotic/lm/language_model.h"

namespace demotic::search {

template <typename Answer>
class LmMemo {
 public:
  explicit LmMemo(const LanguageModel& model) : model_(&model), entries_(size_t{1} << kBits) {}

  const LanguageModel& model() const noexcept { return *model_; }

  // Returns ask(model, from, word), computed now or cached.
  template <typename Ask>
  const Answer& operator()(LmState from, WordId word, Ask&& ask) noexcept {
    Entry& entry = entries_[place(from, word)];
    if (entry.word != word || entry.from != from) {
      entry.from = from;
      entry.word = word;
      entry.answer = ask(*model_, from, word);
    }
    return entry.answer;
  }

 private:
  static constexpr uint32_t kBits = 13;
  struct Entry {
    LmState from;
    WordId word = -1;
    Answer answer;
  };
  static size_t place(LmState from, WordId word) noexcept {
    const uint64_t key = uint64_t{from.node} << 32 | static_cast<uint32_t>(word);
    return key * 0x9e3779b97f4a7c15u >> (64 - kBits);
  }

  const LanguageModel* model_;
  std::vector<Entry> entries_;
};

}  // namespace demotic::search
