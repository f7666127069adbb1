#include "demotic/text/vocabulary.h"

#include <bit>

#include "demotic/base/csr.h"
#include "demotic/base/errors.h"
#include "demotic/base/hash.h"

namespace demotic::text {
namespace {

constexpr std::string_view kVocabularyKind = "vocabulary";
constexpr uint32_t kVocabularyVersion = 1;
constexpr std::string_view kReservedNames[] = {"<unk>", "<s>", "</s>"};

// The slot of `word`, or the empty slot where it belongs. `word_of(id)` returns a word. Reserved
// words have slots as well, as in all versions of the format, but never match.
template <typename WordOf>
size_t locate(std::span<const uint32_t> slots, std::string_view word, WordOf&& word_of) noexcept {
  const size_t mask = slots.size() - 1;
  size_t slot = hash_bytes(word) & mask;
  while (slots[slot] != 0 &&
         (slots[slot] <= kReservedWords || word_of(static_cast<WordId>(slots[slot] - 1)) != word))
    slot = (slot + 1) & mask;
  return slot;
}

struct WordArrays {
  std::vector<char> bytes;
  std::vector<int64_t> offsets;
  std::vector<uint32_t> slots;
};

}  // namespace

WordId Vocabulary::find(std::string_view word) const noexcept {
  const uint32_t entry = slots_[locate(slots_, word, [&](WordId id) { return at(id); })];
  return entry == 0 ? kUnknown : static_cast<WordId>(entry - 1);
}

std::string_view Vocabulary::word(WordId id) const {
  if (id < 0 || id >= size()) throw std::out_of_range("no word has this id");
  return at(id);
}

std::vector<WordId> Vocabulary::map(const Vocabulary& other) const {
  std::vector<WordId> result(other.size());
  for (WordId id = 0; id < other.size(); ++id)
    result[id] = id < kReservedWords ? id : find(other.at(id));
  return result;
}

void Vocabulary::save(const std::string& path) const {
  ContainerWriter writer(path, kVocabularyKind, kVocabularyVersion);
  write(writer);
  writer.commit();
}

void Vocabulary::write(ContainerWriter& writer, std::string_view prefix) const {
  writer.section(std::string(prefix) + "bytes", bytes_);
  writer.section(std::string(prefix) + "offsets", offsets_);
  writer.section(std::string(prefix) + "slots", slots_);
}

Vocabulary Vocabulary::open(const std::string& path, bool verify, const StopFlag& stop) {
  auto container = std::make_shared<Container>(path, kVocabularyKind, kVocabularyVersion);
  if (verify) container->verify(stop);
  return in(container);
}

Vocabulary Vocabulary::in(std::shared_ptr<const Container> container, std::string_view prefix) {
  Vocabulary result;
  result.bytes_ = container->section<char>(std::string(prefix) + "bytes");
  result.offsets_ = container->section<int64_t>(std::string(prefix) + "offsets");
  result.slots_ = container->section<uint32_t>(std::string(prefix) + "slots");
  result.owner_ = container;

  const size_t words = result.offsets_.empty() ? 0 : result.offsets_.size() - 1;
  bool sound = well_formed(CsrView<char>{result.offsets_, result.bytes_}) &&
               words >= kReservedWords && words <= std::numeric_limits<WordId>::max() &&
               std::has_single_bit(result.slots_.size()) && result.slots_.size() >= 2 * words;
  std::vector<bool> listed(sound ? words : 0);
  size_t filled = 0;
  for (size_t i = 0; sound && i < result.slots_.size(); ++i) {
    const uint32_t entry = result.slots_[i];
    if (entry == 0) continue;
    sound = entry <= words && !listed[entry - 1];
    if (sound) listed[entry - 1] = true;
    ++filled;
  }
  // Every word occurs once: so half of the slots are empty, and every probe terminates.
  sound = sound && filled == words;
  for (WordId id = 0; sound && id < kReservedWords; ++id)
    sound = result.at(id) == kReservedNames[id];
  if (!sound) {
    throw FormatError({.path = container->path(),
                       .found = "inconsistent arrays",
                       .expected = "a vocabulary",
                       .advice = "build the file again"});
  }
  return result;
}

VocabularyBuilder::VocabularyBuilder() : slots_(1024) {
  const auto no_word = [](WordId) { return std::string_view(); };
  for (std::string_view name : kReservedNames) append(name, locate(slots_, name, no_word));
}

WordId VocabularyBuilder::add(std::string_view word) {
  const auto word_of = [&](WordId id) {
    return std::string_view(bytes_.data() + offsets_[id], offsets_[id + 1] - offsets_[id]);
  };
  size_t slot = locate(slots_, word, word_of);
  if (slots_[slot] != 0) return static_cast<WordId>(slots_[slot] - 1);
  if (size() == std::numeric_limits<WordId>::max()) {
    throw ModelError({.found = "too many distinct words", .expected = "at most 2147483647"});
  }
  if (slots_.size() < 2 * (offsets_.size() + 1)) {
    grow();
    slot = locate(slots_, word, word_of);
  }
  return append(word, slot);
}

WordId VocabularyBuilder::append(std::string_view word, size_t slot) {
  const WordId id = size();
  bytes_.insert(bytes_.end(), word.begin(), word.end());
  offsets_.push_back(static_cast<int64_t>(bytes_.size()));
  slots_[slot] = static_cast<uint32_t>(id) + 1;
  return id;
}

void VocabularyBuilder::grow() {
  const std::vector<uint32_t> old = std::exchange(slots_, std::vector<uint32_t>(2 * slots_.size()));
  const size_t mask = slots_.size() - 1;
  for (uint32_t entry : old) {
    if (entry == 0) continue;
    const std::string_view word(bytes_.data() + offsets_[entry - 1],
                                offsets_[entry] - offsets_[entry - 1]);
    size_t slot = hash_bytes(word) & mask;  // all words differ, so only an empty slot is searched
    while (slots_[slot] != 0) slot = (slot + 1) & mask;
    slots_[slot] = entry;
  }
}

Vocabulary VocabularyBuilder::finish() {
  auto arrays = std::make_shared<WordArrays>(
      WordArrays{std::move(bytes_), std::move(offsets_), std::move(slots_)});
  *this = VocabularyBuilder();
  Vocabulary result;
  result.bytes_ = arrays->bytes;
  result.offsets_ = arrays->offsets;
  result.slots_ = arrays->slots;
  result.owner_ = arrays;
  return result;
}

}  // namespace demotic::text
