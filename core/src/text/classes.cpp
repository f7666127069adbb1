#include "demotic/text/classes.h"

#include <limits>
#include <stdexcept>

#include "demotic/base/container.h"
#include "demotic/base/errors.h"
#include "demotic/base/utf8.h"

namespace demotic::text {
namespace {

constexpr std::string_view kClassesKind = "classes";
constexpr uint32_t kClassesVersion = 1;

struct OwnedArrays {
  std::string name;
  std::vector<int32_t> classes;
  Csr<char> names;
};

std::string_view as_view(std::span<const char> text) { return {text.data(), text.size()}; }

bool is_utf8(std::string_view text) noexcept {
  while (!text.empty()) {
    const Utf8Char front = utf8_front(text);
    if (front.code < 0) return false;
    text.remove_prefix(front.size);
  }
  return true;
}

}  // namespace

ClassLayer::ClassLayer(std::string name, std::vector<int32_t> classes,
                       const std::vector<std::string>& names) {
  auto owned = std::make_shared<OwnedArrays>(OwnedArrays{std::move(name), std::move(classes), {}});
  for (const std::string& text : names) {
    owned->names.values.insert(owned->names.values.end(), text.begin(), text.end());
    owned->names.end_row();
  }
  name_ = owned->name;
  classes_ = owned->classes;
  names_ = owned->names.view();
  owner_ = owned;
  if (const char* wrong = fault()) throw std::invalid_argument(wrong);
}

const char* ClassLayer::fault() const noexcept {
  constexpr auto kMax = static_cast<size_t>(std::numeric_limits<int32_t>::max());
  if (!well_formed(names_)) return "name offsets that do not fit the names";
  if (names_.size() == 0 || as_view(names_[0]) != kNoneName) return "no class 0 named '-'";
  if (names_.size() > kMax || classes_.size() > kMax) return "too many words or classes";
  if (classes_.size() < kReservedWords) return "reserved words without a class";
  for (WordId word = 0; word < kReservedWords; ++word)
    if (classes_[word] != kNoneClass) return "a reserved word with a class other than 0";
  for (const int32_t id : classes_)
    if (id < 0 || id >= size()) return "a class without a name";
  // Offsets must not split a character either.
  for (size_t i = 0; i < names_.size(); ++i)
    if (!is_utf8(as_view(names_[i]))) return "a class name that is not UTF-8";
  return is_utf8(name()) ? nullptr : "a name that is not UTF-8";
}

void ClassLayer::save(const std::string& path) const {
  ContainerWriter writer(path, kClassesKind, kClassesVersion);
  writer.section("name", name_);
  writer.section("classes", classes_);
  writer.section("bytes", names_.values);
  writer.section("offsets", names_.offsets);
  writer.commit();
}

ClassLayer ClassLayer::open(const std::string& path, bool verify, const StopFlag& stop) {
  auto container = std::make_shared<Container>(path, kClassesKind, kClassesVersion);
  if (verify) container->verify(stop);
  ClassLayer result;
  result.name_ = container->section<char>("name");
  result.classes_ = container->section<int32_t>("classes");
  result.names_ = {container->section<int64_t>("offsets"), container->section<char>("bytes")};
  result.owner_ = container;
  if (const char* wrong = result.fault()) {
    throw FormatError({.path = path,
                       .found = wrong,
                       .expected = "a layer of word classes",
                       .advice = "build the file again"});
  }
  return result;
}

int32_t ClassLayer::class_of(WordId word) const {
  if (word < 0 || word >= words()) throw std::out_of_range("no word has this id");
  return classes_[word];
}

std::string_view ClassLayer::class_name(int32_t id) const {
  if (id < 0 || id >= size()) throw std::out_of_range("no class has this id");
  return as_view(names_[id]);
}

}  // namespace demotic::text
