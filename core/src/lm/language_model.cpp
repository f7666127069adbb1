#include "demotic/lm/language_model.h"

#include <algorithm>
#include <stdexcept>

#include "demotic/base/container.h"
#include "demotic/base/errors.h"

namespace demotic::lm {
namespace {

constexpr std::string_view kKind = "lm";
constexpr uint32_t kVersion = 2;
// Sections that only class-based models have.
constexpr std::string_view kClasses = "classes", kClassPrefix = "class_";
// The name of the n-grams differs, so that programs that know no codes refuse the file.
constexpr std::string_view kNgrams = "ngrams", kCodes = "coded_ngrams", kCodebooks = "codebooks";

bool has_section(const Container& container, std::string_view name) {
  const auto label = [](const ContainerSection& section) { return section.label(); };
  return std::ranges::find(container.sections(), name, label) != container.sections().end();
}

}  // namespace

void LanguageModel::save(const std::string& path) const {
  save_with(path, [&](ContainerWriter& writer) { writer.append(buckets_); });
}

void LanguageModel::save_with(const std::string& path,
                              const std::function<void(ContainerWriter&)>& append_buckets) const {
  ContainerWriter writer(path, kKind, kVersion);
  vocabulary_.write(writer);
  writer.section("counts", counts_);
  writer.section("hashes", hashes_);
  writer.begin_section(quantized() ? kCodes : kNgrams, sizeof(NgramBucket));
  append_buckets(writer);
  if (quantized()) writer.section(kCodebooks, codebooks_);
  if (has_classes()) {
    words_.write(writer, kClassPrefix);
    writer.section(kClasses, classes_);
  }
  writer.commit();
}

LanguageModel LanguageModel::open(const std::string& path, bool verify, const StopFlag& stop) {
  auto container = std::make_shared<const Container>(path, kKind, kVersion);
  if (verify) container->verify(stop);
  LanguageModel result;
  result.vocabulary_ = Vocabulary::in(container);
  result.counts_ = container->section<uint64_t>("counts");
  result.hashes_ = container->section<NgramHash>("hashes");
  const bool coded = has_section(*container, kCodes);
  result.buckets_ = container->section<NgramBucket>(coded ? kCodes : kNgrams);
  if (coded) result.codebooks_ = container->section<Codebook>(kCodebooks);
  result.owner_ = container;
  if (has_section(*container, kClasses)) {
    result.words_ = Vocabulary::in(container, kClassPrefix);
    result.classes_ = container->section<WordId>(kClasses);
  }
  // Classes are indices of unigrams, so they are checked in any case.
  if (!result.lay_tables() || !result.sound_classes() || (verify && !result.sound())) {
    throw FormatError({.path = path,
                       .found = "inconsistent arrays",
                       .expected = "a language model",
                       .advice = "build the file again"});
  }
  return result;
}

bool LanguageModel::lay_tables() {
  if (order() < 1 || order() > kMaxLmOrder || hashes_.size() + 1 != counts_.size()) return false;
  if (quantized() && codebooks_.size() != hashes_.size()) return false;
  number_bits_ = state_number_bits(order());
  uint64_t contexts = static_cast<uint64_t>(vocabulary_.size());
  const uint64_t unigrams = unigram_buckets(vocabulary_.size());
  if (buckets_.size() < unigrams) return false;
  tables_[1] = NgramTable(buckets_.first(unigrams));
  auto rest = buckets_.subspan(unigrams);
  for (int n = 2; n <= order(); ++n) {
    const NgramHash& hash = hashes_[n - 2];
    if (hash.buckets() > rest.size()) return false;
    const NgramLayout layout(quantized() ? &codebooks_[n - 2] : nullptr);
    tables_[n] = NgramTable(hash, rest.first(hash.buckets()), layout);
    if (!tables_[n].sound(hash.buckets(), contexts, vocabulary_.size())) return false;
    rest = rest.subspan(hash.buckets());
    contexts = tables_[n].slots();
    if (contexts > uint64_t{1} << number_bits_) return false;
  }
  return rest.empty();
}

LanguageModel LanguageModel::with_classes(Vocabulary words, std::vector<WordId> classes) const {
  LanguageModel result = *this;
  auto owned = std::make_shared<const std::vector<WordId>>(std::move(classes));
  result.words_ = std::move(words);
  result.classes_ = *owned;
  result.class_owner_ = owned;
  if (owned->empty() || !result.sound_classes())
    throw std::invalid_argument("expected one class of the model per word");
  return result;
}

std::vector<WordId> LanguageModel::map(const Vocabulary& other) const {
  std::vector<WordId> ids = words().map(other);
  if (has_classes())
    for (WordId& id : ids) id = classes_[id];
  return ids;
}

// Whether each word has a class of the model, and each reserved id itself.
bool LanguageModel::sound_classes() const noexcept {
  if (!has_classes()) return true;
  if (classes_.size() != static_cast<size_t>(words_.size())) return false;
  for (WordId word = 0; word < words_.size(); ++word) {
    const WordId id = classes_[word];
    if (word < kReservedWords ? id != word
                              : id != kUnknown && (id < kReservedWords || id >= vocabulary_.size()))
      return false;
  }
  return true;
}

bool LanguageModel::has(LmState state) const noexcept {
  if (state.node == 0) return true;
  const int32_t n = length(state);
  if (n == 0 || n >= order()) return false;
  const uint64_t slots = n == 1 ? static_cast<uint64_t>(vocabulary_.size()) : tables_[n].slots();
  return number(state) < slots && tables_[n].is_context(number(state));
}

// Whether every number is finite, every suffix is a shorter state, and every n-gram has a context.
bool LanguageModel::sound() const noexcept {
  uint64_t contexts = 0;
  for (int n = 1; n <= order(); ++n) {
    const NgramTable& table = tables_[n];
    const uint64_t slots = n == 1 ? counts_[0] : table.slots();
    if (n == 1 && slots != static_cast<uint64_t>(vocabulary_.size())) return false;
    uint64_t used = 0;
    for (uint32_t i = 0; i < slots; ++i) {
      if (!table.used(i)) continue;
      ++used;
      const NgramSlot slot = table.at(i);
      const LmState suffix{table.suffix(slot)};
      if (!std::isfinite(table.prob(slot)) || !std::isfinite(table.backoff(slot)) || !has(suffix) ||
          length(suffix) >= n || (n == order() && table.is_context(i)))
        return false;
      if (n == 1) continue;
      const auto [context, word] = table.ngram(i);
      if (context >= contexts || word >= counts_[0] ||
          !tables_[n - 1].is_context(static_cast<uint32_t>(context)))
        return false;
    }
    if (used != counts_[n - 1]) return false;
    contexts = slots;
  }
  return true;
}

}  // namespace demotic::lm
