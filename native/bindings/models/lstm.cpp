#include "vectors/lstm.hpp"

#include "bindings/arrays.hpp"
#include "core/kernel.hpp"

using namespace nlg;

namespace {

using Weights = Matrix<float>;
using Vector = Column<float>;

constexpr std::size_t kTogether = 48;  // texts that a thread reads side by side

// The gates' rows, each as many as the padded width, from those of a checkpoint.
Linear padded(const Weights& weight, const float* bias, std::size_t width, std::size_t padded, std::size_t inputs) {
  const std::size_t own = weight.shape(1);
  std::vector<float> rows(4 * padded * inputs), biases(4 * padded);
  for (std::size_t gate = 0; gate < 4; ++gate)
    for (std::size_t i = 0; i < width; ++i) {
      std::copy_n(weight.data() + (gate * width + i) * own, own, rows.data() + (gate * padded + i) * inputs);
      if (bias != nullptr) biases[gate * padded + i] = bias[gate * width + i];
    }
  return Linear(rows.data(), biases.data(), 4 * padded, inputs);
}

// Of each direction: weights [4 width, inputs], recurrent weights [4 width, width] and biases, with
// input, forget, new and output gates after each other.
void make_lstm(BiLstm* self, const Weights& input, const Weights& recurrent, const Vector& bias,
               const Weights& back_input, const Weights& back_recurrent, const Vector& back_bias) {
  const std::size_t width = recurrent.shape(1), inputs = input.shape(1), more = (width + kWidth - 1) / kWidth * kWidth;
  for (const Weights* weight : {&input, &back_input})
    if (width == 0 || inputs == 0 || weight->shape(0) != 4 * width || weight->shape(1) != inputs)
      throw nb::value_error("a weight has another shape than the model's");
  for (const Weights* weight : {&recurrent, &back_recurrent})
    if (weight->shape(0) != 4 * width || weight->shape(1) != width)
      throw nb::value_error("a weight has another shape than the model's");
  if (bias.size() != 4 * width || back_bias.size() != 4 * width)
    throw nb::value_error("a bias has another size than the model's");
  new (self) BiLstm{inputs, width, more, {}};
  self->directions.push_back({padded(input, bias.data(), width, more, inputs), padded(recurrent, nullptr, width, more, more)});
  self->directions.push_back(
      {padded(back_input, back_bias.data(), width, more, inputs), padded(back_recurrent, nullptr, width, more, more)});
}

// Texts are x[starts[i]:starts[i + 1]]; what comes back is [rows, 2 width].
nb::ndarray<nb::numpy, float, nb::ndim<2>> read_py(const BiLstm& self, const Weights& x, const Starts& starts, unsigned threads) {
  if (x.shape(1) != self.inputs) throw nb::value_error("rows have another width than the weights");
  check_starts(starts, x.shape(0));
  std::vector<float> found(x.shape(0) * 2 * self.width);
  float* const out = found.data();
  {
    const nb::gil_scoped_release unlocked;
    parallel(starts.size() - 1, threads, [&] {
      return [&, run = BiLstmRun(self), lengths = std::vector<std::size_t>()](std::size_t first, std::size_t last) mutable {
        lengths.clear();
        for (std::size_t i = first; i < last; ++i)
          lengths.push_back(static_cast<std::size_t>(starts.data()[i + 1] - starts.data()[i]));
        const auto from = static_cast<std::size_t>(starts.data()[first]);
        run(x.data() + from * self.inputs, lengths, out + from * 2 * self.width);
      };
    }, kTogether);
  }
  return released(std::move(found), x.shape(0), 2 * self.width);
}

}  // namespace

void bind_lstm(nb::module_& m) {
  nb::class_<BiLstm>(m, "BiLstm")
      .def("__init__", &make_lstm, "input"_a, "recurrent"_a, "bias"_a, "back_input"_a, "back_recurrent"_a, "back_bias"_a)
      .def("__call__", &read_py, "x"_a, "starts"_a, nb::kw_only(), "threads"_a);
}
