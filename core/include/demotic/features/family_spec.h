// A line `family NAME [setting=value ...]` of a template file: a family of sparse features that no
// template can express. Values are lists of items separated by commas, or numbers. Items may
// contain any character: those with a meaning here are written as %XX, the hexadecimal value of the
// byte.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "demotic/namespaces.h"

namespace demotic::features {

// What a family is called, and what its settings mean.
struct FamilyInfo {
  std::string_view name;
  // The lists that it needs, such as the words that it looks at. A line may give a list
  // (`labels=NP,VP`), or the number that determines it from data (`min-count=100`).
  std::vector<std::string_view> lists;
  std::string_view number;  // name of the setting with that number; empty without lists
  int32_t default_number = 0;
  bool trees = false;           // looks at source trees
  std::string_view required{};  // a list that every line has to give, with one item
};

// All families, by name.
std::span<const FamilyInfo> family_infos();

class FamilySpec {
 public:
  // `text` follows the word `family`. Throws FormatError (without a path) for an unknown family or
  // setting.
  explicit FamilySpec(std::string_view text);

  const FamilyInfo& info() const noexcept { return *info_; }
  std::string text() const;  // canonical, without the word `family`
  // The lists that are not known yet, and the number that determines them.
  std::vector<std::string_view> missing() const;
  int32_t number() const noexcept { return number_; }
  // The same with a list.
  FamilySpec with(std::string_view name, std::vector<std::string> items) const;
  // The items of a list that is known.
  const std::vector<std::string>& list(std::string_view name) const;

  friend bool operator==(const FamilySpec& a, const FamilySpec& b) { return a.text() == b.text(); }

 private:
  void set(std::string_view name, std::string_view value);
  void check_required() const;

  const FamilyInfo* info_;
  int32_t number_;
  std::vector<std::pair<std::string, std::vector<std::string>>> lists_;  // as in info().lists
};

}  // namespace demotic::features
