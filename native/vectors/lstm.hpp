// Long short-term memory in both directions (Hochreiter and Schmidhuber, 1997; Graves and
// Schmidhuber, 2005). Texts follow each other without padding, and do not depend on the others.
#pragma once

#include <numeric>

#include "vectors/floats.hpp"

namespace nlg {

// One direction. The width is padded with numbers that stay 0.
struct LstmDirection {
  Linear input, recurrent;
};

struct BiLstm {
  std::size_t inputs, width, padded;
  std::vector<LstmDirection> directions;  // forward and backward
};

// One thread's buffers.
class BiLstmRun {
 public:
  explicit BiLstmRun(const BiLstm& lstm) : lstm_(lstm), run_(float_kernels()) {}

  // x has the inputs of all texts, `out` room for forward and backward outputs of each row.
  void operator()(const float* x, const std::vector<std::size_t>& lengths, float* out) {
    const std::size_t count = lengths.size(), gates = 4 * lstm_.padded;
    starts_.resize(count);
    std::exclusive_scan(lengths.begin(), lengths.end(), starts_.begin(), std::size_t{0});
    order_.resize(count);
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    std::stable_sort(order_.begin(), order_.end(),
                     [&](std::size_t a, std::size_t b) { return lengths[a] > lengths[b]; });
    const std::size_t rows = count == 0 ? 0 : starts_.back() + lengths.back();
    projected_.resize(rows * gates);
    for (std::size_t side = 0; side < 2; ++side) {
      const LstmDirection& own = lstm_.directions[side];
      own.input(run_, x, rows, projected_.data());
      memory_.assign(count * lstm_.padded, 0.f);
      output_.assign(count * lstm_.padded, 0.f);
      gates_.resize(count * gates);
      std::size_t active = count;
      for (std::size_t step = 0;; ++step) {
        while (active > 0 && lengths[order_[active - 1]] <= step) --active;
        if (active == 0) break;
        for (std::size_t k = 0; k < active; ++k)
          std::copy_n(projected_.data() + row(order_[k], lengths, step, side) * gates, gates, gates_.data() + k * gates);
        own.recurrent(run_, output_.data(), active, gates_.data(), true);
        checkpoint(active * gates);
        for (std::size_t k = 0; k < active; ++k) {
          float* const output = output_.data() + k * lstm_.padded;
          run_.remember(gates_.data() + k * gates, memory_.data() + k * lstm_.padded, output, lstm_.padded);
          std::copy_n(output, lstm_.width, out + (2 * row(order_[k], lengths, step, side) + side) * lstm_.width);
        }
      }
    }
  }

 private:
  std::size_t row(std::size_t text, const std::vector<std::size_t>& lengths, std::size_t step, std::size_t side) const {
    return starts_[text] + (side == 0 ? step : lengths[text] - 1 - step);
  }

  const BiLstm& lstm_;
  const FloatKernels& run_;
  std::vector<std::size_t> starts_, order_;
  std::vector<float> projected_, gates_, memory_, output_;
};

}  // namespace nlg
