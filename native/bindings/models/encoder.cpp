#include "vectors/bert.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include "bindings/arrays.hpp"

using namespace nlg;

namespace {

using Weights = Matrix<float>;
using Vector = Column<float>;
using Layers = nb::ndarray<nb::numpy, float, nb::ndim<3>>;

constexpr std::size_t kTokens = 480;  // that a thread encodes at once

std::vector<float> copied(const Vector& x, std::size_t size) {
  if (x.size() != size) throw nb::value_error("a weight has another size than the model's");
  return {x.data(), x.data() + size};
}

Linear linear(const Weights& weight, const Vector& bias, std::size_t inputs) {
  if (weight.shape(1) != inputs || weight.shape(0) != bias.size() || weight.shape(0) % 16 != 0)
    throw nb::value_error("a weight has another shape than the model's, or a width that is no multiple of 16");
  return Linear(weight.data(), bias.data(), weight.shape(0), inputs);
}

// Token and position embeddings, and the weight and bias of their normalisation.
void make_bert(Bert* self, const Weights& words, const Weights& positions, const Vector& weight, const Vector& bias,
               std::size_t heads, float epsilon) {
  const std::size_t width = words.shape(1);
  if (width == 0 || positions.shape(1) != width || heads == 0 || heads > width || width % (16 * heads) != 0)
    throw nb::value_error("the size of a head must be a multiple of 16");
  new (self) Bert{width,
                  heads,
                  epsilon,
                  {words.data(), words.data() + words.size()},
                  {positions.data(), positions.data() + positions.size()},
                  {copied(weight, width), copied(bias, width)},
                  {}};
}

// Pairs of weight and bias: projections, attention output and norm, intermediate, output and norm.
void add_layer(Bert& self, const Weights& w0, const Vector& b0, const Weights& w1, const Vector& b1, const Vector& w2,
               const Vector& b2, const Weights& w3, const Vector& b3, const Weights& w4, const Vector& b4,
               const Vector& w5, const Vector& b5) {
  const std::size_t width = self.width, inner = w3.shape(0);
  if (w0.shape(0) != 3 * width || w1.shape(0) != width || w4.shape(0) != width)
    throw nb::value_error("a weight has another shape than the model's");
  self.layers.push_back({linear(w0, b0, width), linear(w1, b1, width), {copied(w2, width), copied(b2, width)},
                         linear(w3, b3, width), linear(w4, b4, inner), {copied(w5, width), copied(b5, width)}});
}

// Texts are ids[starts[i]:starts[i + 1]]; what comes back is [layers, ids, width].
Layers encode_py(const Bert& self, const Column<std::int32_t>& ids, const Column<std::int64_t>& starts,
                 const std::vector<std::size_t>& layers, unsigned threads,
                 const std::optional<Column<std::int32_t>>& kinds) {
  const std::size_t total = ids.size(), width = self.width;
  check_starts(starts, total);
  const auto count = static_cast<std::int64_t>(starts.size()) - 1;
  for (std::size_t i = 0; i < total; ++i)
    if (ids.data()[i] < 0 || static_cast<std::size_t>(ids.data()[i]) >= self.words.size() / width)
      throw nb::value_error("an id is not in the vocabulary");
  if (kinds && kinds->size() != total) throw nb::value_error("one kind for each id expected");
  for (std::size_t i = 0; kinds && i < total; ++i)
    if (kinds->data()[i] < 0 || static_cast<std::size_t>(kinds->data()[i]) >= self.kinds.size() / width)
      throw nb::value_error("no such kind");
  std::size_t highest = 0;
  for (const std::size_t layer : layers) highest = std::max(highest, layer);
  if (highest > self.layers.size()) throw nb::value_error("no such layer");
  std::vector<std::size_t> groups{0};  // texts that are encoded together
  for (std::int64_t i = 0; i < count; ++i) {
    if (static_cast<std::size_t>(starts.data()[i + 1] - starts.data()[i]) > self.positions.size() / width)
      throw nb::value_error("a text is longer than there are positions");
    if (static_cast<std::size_t>(starts.data()[i + 1] - starts.data()[groups.back()]) > kTokens &&
        groups.back() < static_cast<std::size_t>(i))
      groups.push_back(static_cast<std::size_t>(i));
  }
  groups.push_back(static_cast<std::size_t>(count));
  std::vector<float> found(layers.size() * total * width);
  float* const data = found.data();
  {
    const nb::gil_scoped_release unlocked;
    parallel(groups.size() - 1, threads, [&] {
      return [&, run = BertRun(self), lengths = std::vector<std::size_t>()](std::size_t first, std::size_t last) mutable {
        for (std::size_t group = first; group < last; ++group) {
          lengths.clear();
          for (std::size_t i = groups[group]; i < groups[group + 1]; ++i)
            lengths.push_back(static_cast<std::size_t>(starts.data()[i + 1] - starts.data()[i]));
          const std::int64_t from = starts.data()[groups[group]], to = starts.data()[groups[group + 1]];
          run(ids.data() + from, kinds ? kinds->data() + from : nullptr, lengths, highest, [&](std::size_t layer, const float* x) {
            for (std::size_t k = 0; k < layers.size(); ++k)
              if (layers[k] == layer) std::copy_n(x, (to - from) * width, data + (k * total + from) * width);
          });
        }
      };
    }, 1);
  }
  return released(std::move(found), layers.size(), total, width);
}

}  // namespace

void bind_encoder(nb::module_& m) {
  nb::class_<Bert>(m, "Bert")
      .def("__init__", &make_bert, "words"_a, "positions"_a, "weight"_a, "bias"_a, nb::kw_only(), "heads"_a, "epsilon"_a)
      .def("add_layer", &add_layer)
      .def("set_kinds",
           [](Bert& self, const Weights& kinds) {
             if (kinds.shape(1) != self.width) throw nb::value_error("a weight has another shape than the model's");
             self.kinds.assign(kinds.data(), kinds.data() + kinds.size());
           },
           "kinds"_a)
      .def("encode", &encode_py, "ids"_a, "starts"_a, "layers"_a, nb::kw_only(), "threads"_a,
           "kinds"_a.none() = nb::none());
}
