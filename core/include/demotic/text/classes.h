// A layer of word classes over a vocabulary: one small integer per word id, and one name per class.
// Backed-off features use layers, whether the classes come from clustering, spelling or a tagger.
// Class 0, named "-", means "none": reserved ids always have it, and so does every word without a
// class. Names need not be distinct.
//
// Immutable; shared between threads; opened by mapping. A look-up is one load.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "demotic/base/csr.h"
#include "demotic/base/stop.h"
#include "demotic/text/vocabulary.h"

namespace demotic::text {

inline constexpr int32_t kNoneClass = 0;
inline constexpr std::string_view kNoneName = "-";

class ClassLayer {
 public:
  // Throws std::invalid_argument if a class has no name, a reserved id is missing or has a class
  // other than 0, or class 0 has another name.
  ClassLayer(std::string name, std::vector<int32_t> classes, const std::vector<std::string>& names);

  static ClassLayer open(const std::string& path, bool verify, const StopFlag& stop);
  void save(const std::string& path) const;

  std::string_view name() const noexcept { return {name_.data(), name_.size()}; }
  WordId words() const noexcept { return static_cast<WordId>(classes_.size()); }
  int32_t size() const noexcept { return static_cast<int32_t>(names_.size()); }
  std::span<const int32_t> classes() const noexcept { return classes_; }
  // Throw std::out_of_range.
  int32_t class_of(WordId word) const;
  std::string_view class_name(int32_t id) const;

 private:
  ClassLayer() = default;
  // A description of the inconsistency of the arrays, or null.
  const char* fault() const noexcept;

  std::span<const char> name_;
  std::span<const int32_t> classes_;  // by WordId
  CsrView<char> names_;               // by class
  std::shared_ptr<const void> owner_;
};

}  // namespace demotic::text
