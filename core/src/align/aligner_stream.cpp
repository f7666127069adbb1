#include "demotic/align/aligner_stream.h"

#include <algorithm>
#include <charconv>

#include "demotic/align/pair_decoder.h"

namespace demotic::align {
namespace {

constexpr int64_t kPairsPerItem = 64;

template <typename... Format>
void append_number(std::string& text, auto number, Format... format) {
  char digits[64];
  const auto end = std::to_chars(digits, digits + sizeof digits, number, format...).ptr;
  text.append(digits, end);
}

void append_fixed(std::string& text, double number) {
  append_number(text, number, std::chars_format::fixed, 4);
}

void append_links(std::string& text, const std::vector<Link>& links) {
  for (size_t k = 0; k < links.size(); ++k) {
    if (k > 0) text += ' ';
    append_number(text, links[k].source);
    text += '-';
    append_number(text, links[k].target);
  }
}

// Per word; -inf stays -inf without words.
void append_score(std::string& text, double log_likelihood, size_t words) {
  text += '\t';
  append_fixed(text, log_likelihood / static_cast<double>(words));
}

}  // namespace

AlignerStream::AlignerStream(const Aligner& aligner, Vocabulary vocabulary,
                             const StreamOptions& options, int threads)
    : vocabulary_(std::move(vocabulary)),
      options_(std::make_unique<StreamOptions>(options)),
      finder_(std::make_unique<PairFinder>(aligner.table)),
      positions_(
          std::make_unique<Positions>(positions_of(aligner, aligner.model, aligner.max_length))),
      pool_(std::make_unique<ThreadPool>(threads)) {
  PairDecoder decoder(aligner, *finder_, *positions_, options_->decode);
  decoder.with_posteriors(options.scores || options.posteriors);
  decoders_ = std::vector<PairDecoder>(pool_->threads(), decoder);
}

AlignerStream::~AlignerStream() = default;

StreamBatch AlignerStream::align_range(PairDecoder& decoder, const Corpus& source,
                                       const Corpus& target, int64_t begin, int64_t end,
                                       const StopFlag& stop) const {
  StreamBatch part;
  for (int64_t i = begin; i < end; ++i) {
    stop.check();
    part.cut += decoder.align(source[i], target[i]);
    part.empty += source[i].empty() || target[i].empty();
    part.links += static_cast<int64_t>(decoder.links().size());
    append_links(part.text, decoder.links());
    if (options_->scores) {
      append_score(part.text, decoder.log_likelihood()[0], target[i].size());
      append_score(part.text, decoder.log_likelihood()[1], source[i].size());
    }
    if (options_->posteriors) {
      char separator = '\t';
      if (decoder.posteriors().empty()) part.text += separator;
      for (const float posterior : decoder.posteriors()) {
        part.text += std::exchange(separator, ' ');
        append_fixed(part.text, posterior);
      }
    }
    part.text += '\n';
  }
  part.pairs = end - begin;
  return part;
}

StreamBatch AlignerStream::align(const Lines& source, const Lines& target, const StopFlag& stop) {
  const Corpus from = encode(vocabulary_, source, pool_->threads(), stop);
  const Corpus to = encode(vocabulary_, target, pool_->threads(), stop);
  check_parallel(from, to);
  StreamBatch result;
  pool_->map_reduce((from.size() + kPairsPerItem - 1) / kPairsPerItem, stop,
                    [&](int64_t item, int worker) {
                      const int64_t begin = item * kPairsPerItem;
                      return align_range(decoders_[worker], from, to, begin,
                                         std::min(from.size(), begin + kPairsPerItem), stop);
                    },
                    [&](int64_t, StreamBatch&& part) {
                      result.text += part.text;
                      result.pairs += part.pairs;
                      result.links += part.links;
                      result.empty += part.empty;
                      result.cut += part.cut;
                    });
  return result;
}

}  // namespace demotic::align
