#include "vectors/greedy.hpp"

#include "bindings/arrays.hpp"

using namespace nlg;

namespace {

using Means = nb::ndarray<nb::numpy, double, nb::ndim<2>>;

// Text t has the vectors [starts[t], starts[t + 1]); what comes back are the means of both sides of
// every pair and, if asked for, how their matches spread.
Means greedy_matches_py(const Matrix<float>& vectors, const Column<double>& weights, const Column<std::int64_t>& starts,
                        const Column<std::int64_t>& left, const Column<std::int64_t>& right, bool spread,
                        unsigned threads) {
  const auto count = static_cast<std::int64_t>(starts.size()) - 1;
  if (weights.size() != vectors.shape(0) || left.size() != right.size() || count < 0 || starts.data()[0] != 0 ||
      starts.data()[count] != static_cast<std::int64_t>(vectors.shape(0)) ||
      !std::is_sorted(starts.data(), starts.data() + count + 1))
    throw nb::value_error("the columns do not fit each other");
  for (std::size_t p = 0; p < left.size(); ++p)
    if (std::min(left.data()[p], right.data()[p]) < 0 || std::max(left.data()[p], right.data()[p]) >= count)
      throw nb::value_error("no such text");
  const std::size_t columns = 2 + (spread ? 2 * PieceMatching::kSpread : 0);
  auto* means = new double[columns * left.size()];
  const nb::capsule owner(means, [](void* p) noexcept { delete[] static_cast<double*>(p); });
  {
    const nb::gil_scoped_release unlocked;
    const std::size_t width = vectors.shape(1);
    const auto size = [&](std::int64_t t) { return static_cast<std::size_t>(starts.data()[t + 1] - starts.data()[t]); };
    parallel(left.size(), threads, [&] {
      return [&, match = PieceMatching(width)](std::size_t first, std::size_t last) mutable {
        for (std::size_t p = first; p < last; ++p) {
          const std::int64_t a = left.data()[p], b = right.data()[p], i = starts.data()[a], j = starts.data()[b];
          const double* sides[] = {weights.data() + i, weights.data() + j};
          match.match(vectors.data() + i * width, size(a), vectors.data() + j * width, size(b));
          double* row = means + columns * p;
          for (int side = 0; side < 2; ++side) {
            row[side] = match.mean(side, sides[side]);
            if (spread) match.spread(side, sides[side], row + 2 + side * PieceMatching::kSpread);
          }
        }
      };
    }, 16);
  }
  return Means(means, {left.size(), columns}, owner);
}

}  // namespace

void bind_greedy(nb::module_& m) {
  m.def("greedy_matches", &greedy_matches_py, "vectors"_a, "weights"_a, "starts"_a, "left"_a, "right"_a, nb::kw_only(),
        "spread"_a = false, "threads"_a);
}
