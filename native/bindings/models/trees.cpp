#include "structure/trees.hpp"

#include "bindings/arrays.hpp"

using namespace nlg;

namespace {

using Floats = nb::ndarray<nb::numpy, double, nb::ndim<1>>;

// Cosines of pairs of forests; forest t has the nodes [starts[t], starts[t + 1]).
Floats tree_cosines_py(const Column<std::int32_t>& labels, const Column<std::int32_t>& heads,
                       const Column<std::int64_t>& starts, const Column<std::int64_t>& left,
                       const Column<std::int64_t>& right, double decay, unsigned threads) {
  const auto count = static_cast<std::int64_t>(starts.size()) - 1;
  const auto nodes = static_cast<std::int64_t>(labels.size());
  if (heads.size() != labels.size() || left.size() != right.size() || count < 0 || starts.data()[0] != 0 ||
      starts.data()[count] != nodes || !std::is_sorted(starts.data(), starts.data() + count + 1))
    throw nb::value_error("the columns do not fit each other");
  for (std::size_t p = 0; p < left.size(); ++p)
    if (std::min(left.data()[p], right.data()[p]) < 0 || std::max(left.data()[p], right.data()[p]) >= count)
      throw nb::value_error("no such forest");
  std::vector<double> cosines(left.size());
  {
    const nb::gil_scoped_release unlocked;
    std::vector<Forest> forests(static_cast<std::size_t>(count));
    std::vector<Scaled> own(forests.size());
    Forest::Productions productions;
    for (std::int64_t t = 0; t < count; ++t) {
      const std::int64_t from = starts.data()[t], size = starts.data()[t + 1] - from;
      for (std::int64_t i = 0; i < size; ++i)
        if (heads.data()[from + i] >= size) throw std::out_of_range("head beyond the last node");
      forests[t].build(labels.data() + from, heads.data() + from, static_cast<u32>(size), productions);
    }
    const auto run = [&](std::size_t size, auto&& each) {
      parallel(size, threads, [&] {
        return [&, kernel = TreeKernel(decay)](std::size_t first, std::size_t last) mutable {
          for (std::size_t i = first; i < last; ++i) each(kernel, i);
        };
      });
    };
    run(forests.size(), [&](TreeKernel& kernel, std::size_t t) { own[t] = kernel(forests[t], forests[t]); });
    run(cosines.size(), [&](TreeKernel& kernel, std::size_t p) {
      const std::int64_t a = left.data()[p], b = right.data()[p];
      cosines[p] = kernel(forests[a], forests[b]).over_geometric_mean(own[a], own[b]);
    });
  }
  auto* data = new double[cosines.size()];
  std::copy(cosines.begin(), cosines.end(), data);
  const nb::capsule owner(data, [](void* p) noexcept { delete[] static_cast<double*>(p); });
  return Floats(data, {cosines.size()}, owner);
}

// Columns of LevelledSubtrees for every segment; segment s has the forests [first[s], first[s + 1]), the
// hypothesis before the references.
nb::ndarray<nb::numpy, double, nb::ndim<2>> subtree_matches_py(
    const Column<std::int32_t>& labels, const Column<std::int32_t>& heads, const Column<std::int64_t>& starts,
    const Column<std::int64_t>& first, u32 order, unsigned threads) {
  const auto count = static_cast<std::int64_t>(starts.size()) - 1, segments = static_cast<std::int64_t>(first.size()) - 1;
  const auto covers = [](const Column<std::int64_t>& bounds, std::int64_t last, std::int64_t end) {
    return last >= 0 && bounds.data()[0] == 0 && bounds.data()[last] == end &&
           std::is_sorted(bounds.data(), bounds.data() + last + 1);
  };
  if (heads.size() != labels.size() || !covers(starts, count, static_cast<std::int64_t>(labels.size())) ||
      !covers(first, segments, count) || order < 1)
    throw nb::value_error("the columns do not fit each other");
  for (std::int64_t s = 0; s < segments; ++s)
    if (first.data()[s] == first.data()[s + 1]) throw nb::value_error("a segment without a hypothesis");
  for (std::int64_t t = 0; t < count; ++t)
    for (std::int64_t i = starts.data()[t]; i < starts.data()[t + 1]; ++i)
      if (heads.data()[i] >= starts.data()[t + 1] - starts.data()[t]) throw nb::value_error("head beyond the last node");
  const std::size_t columns = 3 * static_cast<std::size_t>(order);
  auto* rows = new double[static_cast<std::size_t>(segments) * columns]();
  const nb::capsule owner(rows, [](void* p) noexcept { delete[] static_cast<double*>(p); });
  {
    const nb::gil_scoped_release unlocked;
    parallel(static_cast<std::size_t>(segments), threads, [&] {
      return [&, subtrees = LevelledSubtrees(order)](std::size_t from, std::size_t to) mutable {
        for (std::size_t s = from; s < to; ++s) {
          const std::int64_t forest = first.data()[s];
          subtrees(labels.data(), heads.data(), starts.data() + forest,
                   static_cast<std::size_t>(first.data()[s + 1] - forest), rows + s * columns);
        }
      };
    });
  }
  return {rows, {static_cast<std::size_t>(segments), columns}, owner};
}

}  // namespace

void bind_trees(nb::module_& m) {
  m.def("tree_cosines", &tree_cosines_py, "labels"_a, "heads"_a, "starts"_a, "left"_a, "right"_a, nb::kw_only(),
        "decay"_a, "threads"_a);
  m.def("subtree_matches", &subtree_matches_py, "labels"_a, "heads"_a, "starts"_a, "first"_a, nb::kw_only(),
        "order"_a, "threads"_a);
}
