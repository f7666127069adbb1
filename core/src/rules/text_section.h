// Lists of short texts in a section of a container: one line each.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "demotic/base/container.h"

namespace demotic::rules {

inline std::vector<std::string> split_lines(std::span<const char> bytes) {
  std::vector<std::string> result;
  auto begin = bytes.begin();
  for (auto it = bytes.begin(); it != bytes.end(); ++it) {
    if (*it != '\n') continue;
    result.emplace_back(begin, it);
    begin = it + 1;
  }
  return result;
}

inline void write_lines(ContainerWriter& writer, std::string_view name,
                        const std::vector<std::string>& texts) {
  writer.begin_section(name, 1);
  for (const std::string& text : texts) {
    writer.append(std::span(text.data(), text.size()));
    writer.append(std::span("\n", 1));
  }
}

}  // namespace demotic::rules
