#include <nanobind/ndarray.h>

#include "alignment/transduction.hpp"
#include "vectors/yisi.hpp"
#include "bindings/bindings.hpp"

using namespace nlg;

namespace {

template <class T, int dimensions>
using Array = nb::ndarray<const T, nb::ndim<dimensions>, nb::c_contig, nb::device::cpu>;
using Spans = Array<std::int64_t, 2>;

void check(const Spans& spans, std::size_t size) {
  if (spans.shape(1) != 2) throw nb::value_error("spans have a start and an end");
  for (std::size_t k = 0; k < spans.shape(0); ++k) {
    const std::int64_t start = spans(k, 0), end = spans(k, 1);
    if (start < 0 || start >= end || end > static_cast<std::int64_t>(size)) throw nb::value_error("no such span");
  }
}

// Precision and recall of all phrases of one text beside all of another: [2, hyp_spans, ref_spans].
nb::ndarray<nb::numpy, double, nb::ndim<3>> span_similarities(const Array<double, 2>& matrix,
                                                              const Array<double, 1>& hyp_weights,
                                                              const Array<double, 1>& ref_weights,
                                                              const Spans& hyp_spans, const Spans& ref_spans, u32 order) {
  const std::size_t hyp = matrix.shape(0), ref = matrix.shape(1);
  if (hyp_weights.shape(0) != hyp || ref_weights.shape(0) != ref || order < 1)
    throw nb::value_error("the columns do not fit each other");
  check(hyp_spans, hyp);
  check(ref_spans, ref);
  const std::size_t k = hyp_spans.shape(0), l = ref_spans.shape(0);
  auto* found = new double[2 * k * l]();
  const nb::capsule owner(found, [](void* p) noexcept { delete[] static_cast<double*>(p); });
  NgramSimilarity compare;
  for (std::size_t a = 0; a < k; ++a)
    for (std::size_t b = 0; b < l; ++b) {
      const std::int64_t i = hyp_spans(a, 0), j = ref_spans(b, 0);
      const auto n = static_cast<u32>(hyp_spans(a, 1) - i), m = static_cast<u32>(ref_spans(b, 1) - j);
      const auto [precision, recall] =
          compare(hyp_weights.data() + i, n, ref_weights.data() + j, m, order, [&](u32 at, double* out) {
            std::copy_n(matrix.data() + static_cast<std::size_t>(i + at) * ref + j, m, out);
          });
      found[a * l + b] = precision;
      found[(k + a) * l + b] = recall;
    }
  return {found, {2, k, l}, owner};
}

// Logarithms of how probable all phrases of one text are as translations of all of another.
nb::ndarray<nb::numpy, double, nb::ndim<2>> transductions(const Array<double, 2>& pairs, const Array<double, 1>& left,
                                                          const Array<double, 1>& right, const Spans& left_spans,
                                                          const Spans& right_spans, u32 longest) {
  const std::size_t n = pairs.shape(0), m = pairs.shape(1);
  if (left.shape(0) != n || right.shape(0) != m || longest < 1)
    throw nb::value_error("the columns do not fit each other");
  check(left_spans, n);
  check(right_spans, m);
  const std::size_t k = left_spans.shape(0), l = right_spans.shape(0);
  auto* found = new double[k * l]();
  const nb::capsule owner(found, [](void* p) noexcept { delete[] static_cast<double*>(p); });
  Transduction best(longest);
  const TranslationCosts costs{pairs.data(), m, left.data(), right.data()};
  for (std::size_t a = 0; a < k; ++a)
    for (std::size_t b = 0; b < l; ++b)
      found[a * l + b] = best(costs, static_cast<u32>(left_spans(a, 0)),
                              static_cast<u32>(left_spans(a, 1) - left_spans(a, 0)),
                              static_cast<u32>(right_spans(b, 0)),
                              static_cast<u32>(right_spans(b, 1) - right_spans(b, 0)));
  return {found, {k, l}, owner};
}

}  // namespace

void bind_phrases(nb::module_& m) {
  m.def("span_similarities", &span_similarities, "matrix"_a, "hyp_weights"_a, "ref_weights"_a, "hyp_spans"_a,
        "ref_spans"_a, nb::kw_only(), "order"_a);
  m.def("transductions", &transductions, "pairs"_a, "left"_a, "right"_a, "left_spans"_a, "right_spans"_a,
        nb::kw_only(), "longest"_a);
}
