// The encoder of BERT (Devlin et al., 2019). Texts follow each other without padding; attention
// keeps to a text, so that its vectors do not depend on the others.
#pragma once

#include <cmath>
#include <cstdint>

#include "core/checkpoint.hpp"
#include "vectors/floats.hpp"

namespace nlg {

struct LayerNorm {
  std::vector<float> weight, bias;
};

struct BertLayer {
  Linear projections;  // query, key and value
  Linear attention_output;
  LayerNorm attention_norm;
  Linear intermediate, output;
  LayerNorm norm;
};

struct Bert {
  std::size_t width, heads;
  float epsilon;
  std::vector<float> words, positions;  // embeddings; those of the segment are in the positions
  LayerNorm norm;
  std::vector<BertLayer> layers;
  std::vector<float> kinds = {};  // embeddings of what else is known of a piece; maybe none
};

// One thread's buffers.
class BertRun {
 public:
  explicit BertRun(const Bert& bert) : bert_(bert), run_(float_kernels()) {}

  // Some texts, with lengths; out(layer, x) gets the vectors of every layer up to `highest`.
  template <class Out>
  void operator()(const std::int32_t* ids, const std::int32_t* kinds, const std::vector<std::size_t>& lengths,
                  std::size_t highest, Out&& out) {
    std::size_t rows = 0;
    for (const std::size_t length : lengths) rows += length;
    x_.resize(rows * bert_.width);
    mixed_.resize(rows * bert_.width);
    embed(ids, kinds, lengths);
    out(std::size_t{0}, x_.data());
    for (std::size_t k = 0; k < highest; ++k) {
      layer(bert_.layers[k], rows, lengths);
      out(k + 1, x_.data());
    }
  }

 private:
  void embed(const std::int32_t* ids, const std::int32_t* kinds, const std::vector<std::size_t>& lengths) {
    float* row = x_.data();
    for (const std::size_t length : lengths)
      for (std::size_t i = 0; i < length; ++i, row += bert_.width) {
        const float* word = bert_.words.data() + static_cast<std::size_t>(*ids++) * bert_.width;
        const float* position = bert_.positions.data() + i * bert_.width;
        for (std::size_t k = 0; k < bert_.width; ++k) row[k] = word[k] + position[k];
        if (kinds == nullptr) continue;
        const float* kind = bert_.kinds.data() + static_cast<std::size_t>(*kinds++) * bert_.width;
        for (std::size_t k = 0; k < bert_.width; ++k) row[k] += kind[k];
      }
    normalise(x_, bert_.norm);
  }

  void normalise(std::vector<float>& x, const LayerNorm& norm) {
    for (std::size_t at = 0; at < x.size(); at += bert_.width)
      run_.layer_norm(x.data() + at, bert_.width, norm.weight.data(), norm.bias.data(), bert_.epsilon);
  }

  void layer(const BertLayer& layer, std::size_t rows, const std::vector<std::size_t>& lengths) {
    wide_.resize(rows * std::max(layer.projections.outputs(), layer.intermediate.outputs()));
    layer.projections(run_, x_.data(), rows, wide_.data());
    std::size_t start = 0;
    for (const std::size_t length : lengths) attend(start, length), start += length;
    layer.attention_output(run_, mixed_.data(), rows, x_.data(), true);
    normalise(x_, layer.attention_norm);
    layer.intermediate(run_, x_.data(), rows, wide_.data());
    run_.gelu(wide_.data(), rows * layer.intermediate.outputs());
    layer.output(run_, wide_.data(), rows, x_.data(), true);
    normalise(x_, layer.norm);
  }

  // Of one text: every piece gets a mean of values, weighted by how its query fits their keys.
  void attend(std::size_t start, std::size_t length) {
    const std::size_t size = bert_.width / bert_.heads, next = 3 * bert_.width;
    const float scale = 1 / std::sqrt(static_cast<float>(size));
    for (std::size_t head = 0; head < bert_.heads; ++head) {
      const float* query = wide_.data() + start * next + head * size;
      const float *key = query + bert_.width, *value = key + bert_.width;
      keys_.fill(run_, key, next, length, size);
      const std::size_t padded = keys_.columns();
      scores_.resize(length * padded);
      checkpoint(2 * length * length * size / 16);
      keys_.multiply(run_, query, next, length, nullptr, scores_.data(), padded, false);
      for (std::size_t i = 0; i < length; ++i) run_.softmax(scores_.data() + i * padded, length, scale);
      run_.multiply(scores_.data(), padded, length, value, next, length, size, nullptr,
                    mixed_.data() + start * bert_.width + head * size, bert_.width, false);
    }
  }

  const Bert& bert_;
  const FloatKernels& run_;
  std::vector<float> x_, mixed_, wide_, scores_;
  Panels keys_;
};

}  // namespace nlg
