#include "demotic/features/family_spec.h"

#include <algorithm>
#include <charconv>
#include <stdexcept>

#include "demotic/base/errors.h"

namespace demotic::features {
namespace {

constexpr std::string_view kHex = "0123456789ABCDEF";
constexpr std::string_view kReserved = "%,=~#";
constexpr char kSpace = '~';  // a space within an item: items are words, or pairs of words

std::string escaped(std::string_view item) {
  std::string text;
  for (const char c : item) {
    const auto byte = static_cast<uint8_t>(c);
    if (c == ' ')
      text += kSpace;
    else if (byte > ' ' && byte != 0x7f && kReserved.find(c) == kReserved.npos)
      text += c;
    else
      text.append({'%', kHex[byte >> 4], kHex[byte & 15]});
  }
  return text;
}

std::string unescaped(std::string_view text) {
  std::string item;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      item += text[i] == kSpace ? ' ' : text[i];
      continue;
    }
    const size_t high = i + 1 < text.size() ? kHex.find(text[i + 1]) : kHex.npos;
    const size_t low = i + 2 < text.size() ? kHex.find(text[i + 2]) : kHex.npos;
    if (high == kHex.npos || low == kHex.npos)
      throw FormatError({.found = "'" + std::string(text) + "' in a list",
                         .expected = "% followed by two hexadecimal digits (0-9, A-F)",
                         .advice = "write a percent sign as %25"});
    item += static_cast<char>(high * 16 + low);
    i += 2;
  }
  return item;
}

template <typename Items, typename Name>
std::string listed(const Items& items, Name&& name) {
  std::string text;
  for (const auto& item : items) {
    if (!text.empty()) text += ", ";
    text += name(item);
  }
  return text;
}

// Removes the first word of `text` and returns it.
std::string_view next_word(std::string_view& text) {
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  const size_t end = std::min(text.find(' '), text.size());
  const std::string_view word = text.substr(0, end);
  text.remove_prefix(end);
  return word;
}

const FamilyInfo& found_info(std::string_view name) {
  const auto infos = family_infos();
  const auto found = std::ranges::find(infos, name, &FamilyInfo::name);
  if (found == infos.end())
    throw FormatError({.found = "'family " + std::string(name) + "'",
                       .expected = "one of the families " +
                                   listed(infos, [](const FamilyInfo& one) { return one.name; })});
  return *found;
}

}  // namespace

FamilySpec::FamilySpec(std::string_view text)
    : info_(&found_info(next_word(text))), number_(info_->default_number) {
  for (std::string_view word = next_word(text); !word.empty(); word = next_word(text)) {
    const size_t equals = word.find('=');
    if (equals == word.npos)
      throw FormatError(
          {.found = "'" + std::string(word) + "' after family " + std::string(info_->name),
           .expected = "settings such as name=value"});
    set(word.substr(0, equals), word.substr(equals + 1));
  }
  if (!info_->required.empty()) check_required();
}

void FamilySpec::check_required() const {
  const std::string family = "family " + std::string(info_->name), name(info_->required);
  const std::vector<std::string_view> absent = missing();
  if (std::ranges::find(absent, info_->required) != absent.end())
    throw FormatError({.found = family + " without " + name, .expected = name + "=..."});
  if (list(name).size() > 1)
    throw FormatError(
        {.found = family + " with several of " + name + ": " +
                  listed(list(name), [](const std::string& one) { return "'" + one + "'"; }),
         .expected = "one; each has a line of its own"});
}

void FamilySpec::set(std::string_view name, std::string_view value) {
  if (!info_->number.empty() && name == info_->number) {
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number_);
    if (error != std::errc() || end != value.data() + value.size() || number_ < 1)
      throw FormatError({.found = "'" + std::string(name) + "=" + std::string(value) + "'",
                         .expected = "a number of at least 1"});
    return;
  }
  if (std::ranges::find(info_->lists, name) == info_->lists.end()) {
    std::string known = listed(info_->lists, [](std::string_view one) { return one; });
    if (!info_->number.empty()) known.append(", ").append(info_->number);
    throw FormatError(
        {.found = "'" + std::string(name) + "=' after family " + std::string(info_->name),
         .expected = known.empty() ? "no settings" : "one of the settings " + known});
  }
  if (std::ranges::any_of(lists_, [&](const auto& list) { return list.first == name; }))
    throw FormatError({.found = "a second '" + std::string(name) + "=" + std::string(value) +
                                "' after family " + std::string(info_->name),
                       .expected = "each setting once"});
  std::vector<std::string> items;
  for (size_t begin = 0; begin < value.size();) {
    const size_t end = std::min(value.find(',', begin), value.size());
    if (end > begin) items.push_back(unescaped(value.substr(begin, end - begin)));
    begin = end + 1;
  }
  if (items.empty())
    throw FormatError({.found = "'" + std::string(name) + "=' without a value after family " +
                                std::string(info_->name),
                       .expected = std::string(name) + "=... with at least one item"});
  *this = with(name, std::move(items));
}

FamilySpec FamilySpec::with(std::string_view name, std::vector<std::string> items) const {
  FamilySpec made = *this;
  std::erase_if(made.lists_, [&](const auto& list) { return list.first == name; });
  made.lists_.emplace_back(name, std::move(items));
  std::ranges::sort(made.lists_, {}, [](const auto& list) { return list.first; });
  return made;
}

std::vector<std::string_view> FamilySpec::missing() const {
  std::vector<std::string_view> names;
  for (const std::string_view name : info_->lists)
    if (std::ranges::none_of(lists_, [&](const auto& list) { return list.first == name; }))
      names.push_back(name);
  return names;
}

const std::vector<std::string>& FamilySpec::list(std::string_view name) const {
  for (const auto& [known, items] : lists_)
    if (known == name) return items;
  throw ModelError(
      {.found = "family " + std::string(info_->name) + " without its list of " + std::string(name),
       .expected = std::string(name) + "=... in the template file"});
}

std::string FamilySpec::text() const {
  std::string text(info_->name);
  if (!missing().empty() && !info_->number.empty())
    text.append(" ").append(info_->number).append("=").append(std::to_string(number_));
  for (const auto& [name, items] : lists_) {
    text.append(" ").append(name).append("=");
    for (size_t i = 0; i < items.size(); ++i)
      text.append(i > 0 ? "," : "").append(escaped(items[i]));
  }
  return text;
}

}  // namespace demotic::features
