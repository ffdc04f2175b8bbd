#include "structure/span_scores.hpp"

#include <nanobind/ndarray.h>

#include "bindings/bindings.hpp"

using namespace nlg;

namespace {

using Sizes = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Scores = nb::ndarray<const float, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Values = nb::ndarray<const float, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Labels = nb::ndarray<nb::numpy, std::int32_t, nb::ndim<1>>;
using FoundSpans = nb::ndarray<nb::numpy, std::int32_t, nb::ndim<2>>;
using LabelledSpans = std::vector<std::array<std::int32_t, 3>>;  // start, end and label

std::size_t checked_size(std::int64_t words) {
  if (words < 0 || words > (1 << 20)) throw nb::value_error("no such number of words");
  return static_cast<std::size_t>(words);
}

// Where the spans of each sentence start, and their number.
std::vector<std::size_t> span_starts(const Sizes& sizes, std::size_t rows) {
  std::vector<std::size_t> starts{0};
  for (std::size_t s = 0; s < sizes.size(); ++s) {
    starts.push_back(starts.back() + spans_of(checked_size(sizes.data()[s])));
  }
  if (starts.back() != rows) throw nb::value_error("one row for each span of each sentence expected");
  return starts;
}

// each(s) of every sentence, on some thread.
template <class Each>
void for_each_sentence(std::size_t count, unsigned threads, Each each) {
  parallel(count, threads, [&] {
    return [&](std::size_t first, std::size_t last) {
      for (std::size_t s = first; s < last; ++s) each(s);
    };
  }, 4);
}

Labels best_trees_py(const Scores& scores, const Sizes& sizes, unsigned threads) {
  const auto starts = span_starts(sizes, scores.shape(0));
  const std::size_t labels = scores.shape(1);
  if (labels < 2) throw nb::value_error("none and at least one label expected");
  auto* chosen = new std::int32_t[starts.back() + 1];
  const nb::capsule owner(chosen, [](void* p) noexcept { delete[] static_cast<std::int32_t*>(p); });
  {
    const nb::gil_scoped_release unlocked;
    for_each_sentence(sizes.size(), threads, [&](std::size_t s) {
      thread_local BestTree tree;
      tree(scores.data() + starts[s] * labels, labels, static_cast<std::size_t>(sizes.data()[s]), &chosen[starts[s]]);
    });
  }
  return Labels(chosen, {starts.back()}, owner);
}

// Where the gaps of each sentence start, one more than it has words.
std::vector<std::size_t> gap_starts(const Sizes& sizes, const SpanScores& self, const Scores& left, const Scores& right) {
  std::vector<std::size_t> starts{0};
  for (std::size_t s = 0; s < sizes.size(); ++s) {
    starts.push_back(starts.back() + checked_size(sizes.data()[s]) + 1);
  }
  if (starts.back() != left.shape(0) || starts.back() != right.shape(0) || left.shape(1) != self.width() ||
      right.shape(1) != self.width())
    throw nb::value_error("a row for each gap of each sentence expected, as wide as the weights");
  return starts;
}

// Rows of sentence, start, end and label.
FoundSpans as_rows(const std::vector<LabelledSpans>& found) {
  std::size_t count = 0;
  for (const auto& each : found) count += each.size();
  auto* data = new std::int32_t[4 * count + 1];
  const nb::capsule owner(data, [](void* p) noexcept { delete[] static_cast<std::int32_t*>(p); });
  std::int32_t* row = data;
  for (std::size_t s = 0; s < found.size(); ++s)
    for (const auto& [start, end, label] : found[s]) {
      row[0] = static_cast<std::int32_t>(s), row[1] = start, row[2] = end, row[3] = label;
      row += 4;
    }
  return FoundSpans(data, {count, 4}, owner);
}

// The spans of the best tree of each sentence.
FoundSpans trees_py(const SpanScores& self, const Scores& left, const Scores& right, const Sizes& sizes, unsigned threads) {
  const auto starts = gap_starts(sizes, self, left, right);
  std::vector<LabelledSpans> found(sizes.size());
  {
    const nb::gil_scoped_release unlocked;
    for_each_sentence(sizes.size(), threads, [&](std::size_t s) {
      thread_local BestTree tree;
      thread_local std::vector<float> scores;
      thread_local std::vector<std::int32_t> chosen;
      const auto n = static_cast<std::size_t>(sizes.data()[s]);
      const std::size_t at = starts[s] * self.width();
      self(left.data() + at, right.data() + at, n, scores);
      chosen.resize(spans_of(n));
      tree(scores.data(), self.labels(), n, chosen.data());
      for (std::size_t i = 0, span = 0; i < n; ++i)
        for (std::size_t j = i + 1; j <= n; ++j, ++span)
          if (chosen[span]) found[s].push_back({static_cast<std::int32_t>(i), static_cast<std::int32_t>(j), chosen[span]});
    });
  }
  return as_rows(found);
}

// The arguments of each predicate, which comes with its sentence.
FoundSpans arguments_py(const SpanScores& self, const Scores& left, const Scores& right, const Sizes& sizes,
                   const Sizes& predicates, std::size_t verb, unsigned threads) {
  const auto starts = gap_starts(sizes, self, left, right);
  if (predicates.size() != sizes.size() || verb == 0 || verb >= self.labels())
    throw nb::value_error("one predicate for each sentence expected, and a label for it");
  std::vector<LabelledSpans> found(sizes.size());
  {
    const nb::gil_scoped_release unlocked;
    for_each_sentence(sizes.size(), threads, [&](std::size_t s) {
      thread_local std::vector<float> scores;
      const auto n = static_cast<std::size_t>(sizes.data()[s]);
      const std::size_t at = starts[s] * self.width();
      self(left.data() + at, right.data() + at, n, scores);
      found[s] = best_arguments(scores, self.labels(), n, static_cast<std::size_t>(predicates.data()[s]), verb);
    });
  }
  return as_rows(found);
}

// y = x · Wᵀ + b for the rows of x.
class Projection {
 public:
  Projection(const Scores& weight, const Values& bias)
      : inputs_(weight.shape(1)), linear_(checked(weight, bias), bias.data(), weight.shape(0), weight.shape(1)) {}

  nb::ndarray<nb::numpy, float, nb::ndim<2>> operator()(const Scores& x, unsigned threads) const {
    if (x.shape(1) != inputs_) throw nb::value_error("rows have another width than the weights");
    const std::size_t rows = x.shape(0), outputs = linear_.outputs();
    auto* y = new float[rows * outputs + 1];
    const nb::capsule owner(y, [](void* p) noexcept { delete[] static_cast<float*>(p); });
    {
      const nb::gil_scoped_release unlocked;
      parallel(rows, threads, [&] {
        return [&](std::size_t first, std::size_t last) {
          linear_(float_kernels(), x.data() + first * inputs_, last - first, y + first * outputs);
        };
      }, 120);
    }
    return {y, {rows, outputs}, owner};
  }

 private:
  static const float* checked(const Scores& weight, const Values& bias) {
    if (weight.shape(0) != bias.size() || weight.shape(0) % 16 != 0)
      throw nb::value_error("a weight and a bias for each output expected, and a multiple of 16 of them");
    return weight.data();
  }
  std::size_t inputs_;
  Linear linear_;
};

}  // namespace

void bind_cky(nb::module_& m) {
  m.def("best_trees", &best_trees_py, "scores"_a, "sizes"_a, nb::kw_only(), "threads"_a);
  nb::class_<Projection>(m, "Projection")
      .def(nb::init<const Scores&, const Values&>(), "weight"_a, "bias"_a)
      .def("__call__", &Projection::operator(), "x"_a, nb::kw_only(), "threads"_a);
  nb::class_<SpanScores>(m, "SpanScores")
      .def("__init__",
           [](SpanScores* self, const Scores& weight, const Values& bias) {
             if (weight.shape(0) != bias.size() || weight.shape(0) < 2)
               throw nb::value_error("a weight and a bias for none and each label expected");
             new (self) SpanScores(weight.data(), bias.data(), weight.shape(0), weight.shape(1));
           },
           "weight"_a, "bias"_a)
      .def("trees", &trees_py, "left"_a, "right"_a, "sizes"_a, nb::kw_only(), "threads"_a)
      .def("arguments", &arguments_py, "left"_a, "right"_a, "sizes"_a, "predicates"_a, nb::kw_only(), "verb"_a, "threads"_a);
}
