#include "demotic/metrics/candidates.h"

#include <stdexcept>
#include <string>

namespace demotic::metrics {

void check_sentences(std::span<const int64_t> sentences, size_t candidates, int64_t known) {
  if (sentences.size() != candidates)
    throw std::invalid_argument(std::to_string(candidates) + " candidates, but " +
                                std::to_string(sentences.size()) + " sentence numbers");
  for (const int64_t sentence : sentences)
    if (sentence < 0 || sentence >= known)
      throw std::out_of_range("sentence " + std::to_string(sentence) + " of " +
                              std::to_string(known));
}

Candidates::Candidates(const ReferenceSet& references, CsrView<WordId> words,
                       std::span<const int64_t> sentences)
    : references_(references), words_(words), sentences_(sentences) {
  if (!well_formed(words)) throw std::invalid_argument("offsets that do not fit the words");
  check_sentences(sentences, words.size(), references.size());
}

Candidates::Candidates(const ReferenceSet& references, const Lines& texts,
                       std::span<const int64_t> sentences)
    : references_(references), texts_(&texts), sentences_(sentences) {
  check_sentences(sentences, texts.size(), references.size());
}

std::span<const WordId> Candidates::Reader::operator()(int64_t i) {
  if (candidates_.texts_ == nullptr) return candidates_.words_[i];
  words_.clear();
  for (const std::string_view token : segment_((*candidates_.texts_)[i]))
    words_.push_back(candidates_.references_.find(token));
  return words_;
}

}  // namespace demotic::metrics
