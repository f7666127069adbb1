// Updates as bytes, to be sent between processes: one record per sentence, so that the bytes of
// several parts of a batch are those of the batch. The layout is that of the machine: both ends run
// the same program on the same kind of processor.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "demotic/learn/update_rule.h"

namespace demotic::learn {

std::string to_bytes(std::span<const SentenceUpdate> updates);

// Throws std::invalid_argument for other bytes, or records with another number of dense features.
std::vector<SentenceUpdate> updates_from(std::string_view bytes, size_t dense);

}  // namespace demotic::learn
