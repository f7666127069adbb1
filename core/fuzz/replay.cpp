// Runs a fuzz target without libFuzzer: on its seeds and on thousands of deterministic mutations of
// them; on files, if there are arguments; or writes the seeds to a folder (`--write FOLDER`) as the
// initial corpus of libFuzzer.
#include <iostream>

#include "demotic/base/rng.h"
#include "fuzz.h"

namespace {

constexpr int kMutations = 5000;

void run(std::string_view bytes) {
  LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size());
}

// One to four mutations: a changed byte, a removed piece, a repeated piece, a changed 8-byte
// number.
std::string mutated(std::string bytes, demotic::base::Rng& rng) {
  for (uint64_t changes = 1 + rng.below(4); changes > 0 && !bytes.empty(); --changes) {
    const size_t at = rng.below(bytes.size());
    const size_t length = rng.below(std::min<size_t>(bytes.size() - at, 24)) + 1;
    switch (rng.below(4)) {
      case 0:
        bytes[at] = static_cast<char>(rng.next());
        break;
      case 1:
        bytes.erase(at, length);
        break;
      case 2:
        bytes.insert(at, bytes.substr(at, length));
        break;
      default: {
        const uint64_t number = rng.next() >> rng.below(64);
        for (size_t i = 0; i < 8 && at + i < bytes.size(); ++i)
          bytes[at + i] = static_cast<char>(number >> 8 * i);
      }
    }
  }
  return bytes;
}

int replay_mutations() {
  demotic::base::Rng rng(1);
  const std::vector<std::string> seeds = demotic::fuzz::seeds();
  for (const std::string& seed : seeds) run(seed);
  for (int i = 0; i < kMutations; ++i) run(mutated(seeds[i % seeds.size()], rng));
  std::cout << seeds.size() << " seeds and " << kMutations << " mutations: no finding\n";
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 1) return replay_mutations();
  if (argc == 3 && std::string(argv[1]) == "--write") {
    int number = 0;
    for (const std::string& seed : demotic::fuzz::seeds())
      std::ofstream(std::filesystem::path(argv[2]) / std::to_string(number++), std::ios::binary)
          << seed;
    return 0;
  }
  for (int i = 1; i < argc; ++i) {
    std::ifstream file(argv[i], std::ios::binary);
    run(std::string(std::istreambuf_iterator<char>(file), {}));
  }
  return 0;
}
