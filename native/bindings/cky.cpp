#include "../cky.hpp"

#include <nanobind/ndarray.h>

#include "bindings.hpp"

using namespace nlg;

namespace {

using Sizes = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Scores = nb::ndarray<const float, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Values = nb::ndarray<const float, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

// Where the spans of each sentence start, and their number.
std::vector<std::size_t> span_starts(const Sizes& sizes, std::size_t rows) {
  std::vector<std::size_t> starts{0};
  for (std::size_t s = 0; s < sizes.size(); ++s) {
    if (sizes.data()[s] < 0 || sizes.data()[s] > (1 << 20)) throw nb::value_error("no such number of words");
    starts.push_back(starts.back() + spans_of(static_cast<std::size_t>(sizes.data()[s])));
  }
  if (starts.back() != rows) throw nb::value_error("one row for each span of each sentence expected");
  return starts;
}

// The chunks of `parallel` hold many segments; a sentence is worth a thread's turn.
template <class Each>
void for_each_sentence(std::size_t count, unsigned threads, Each each) {
  std::atomic<std::size_t> next{0};
  const auto run = [&] {
    for (std::size_t s; (s = next.fetch_add(1)) < count;) each(s);
  };
  std::vector<std::thread> others;
  for (unsigned t = 1; t < std::min<std::size_t>(threads, count); ++t) others.emplace_back(run);
  run();
  for (auto& thread : others) thread.join();
}

template <class T>
auto owned(std::unique_ptr<T[]> data, std::size_t size) {
  T* p = data.release();
  const nb::capsule owner(p, [](void* q) noexcept { delete[] static_cast<T*>(q); });
  return nb::ndarray<nb::numpy, T, nb::ndim<1>>(p, {size}, owner);
}

auto best_trees_py(const Scores& scores, const Sizes& sizes, unsigned threads) {
  const auto starts = span_starts(sizes, scores.shape(0));
  const std::size_t labels = scores.shape(1);
  if (labels < 2) throw nb::value_error("none and at least one label expected");
  std::unique_ptr<std::int32_t[]> chosen(new std::int32_t[starts.back() + 1]);
  {
    const nb::gil_scoped_release unlocked;
    for_each_sentence(sizes.size(), threads, [&](std::size_t s) {
      thread_local BestTree tree;
      tree(scores.data() + starts[s] * labels, labels, static_cast<std::size_t>(sizes.data()[s]), &chosen[starts[s]]);
    });
  }
  return owned(std::move(chosen), starts.back());
}

auto best_disjoint_py(const Values& values, const Sizes& sizes, unsigned threads) {
  const auto starts = span_starts(sizes, values.size());
  std::unique_ptr<std::uint8_t[]> chosen(new std::uint8_t[starts.back() + 1]);
  {
    const nb::gil_scoped_release unlocked;
    for_each_sentence(sizes.size(), threads, [&](std::size_t s) {
      best_disjoint(values.data() + starts[s], static_cast<std::size_t>(sizes.data()[s]), &chosen[starts[s]]);
    });
  }
  return owned(std::move(chosen), starts.back());
}

}  // namespace

void bind_cky(nb::module_& m) {
  m.def("best_trees", &best_trees_py, "scores"_a, "sizes"_a, nb::kw_only(), "threads"_a);
  m.def("best_disjoint", &best_disjoint_py, "values"_a, "sizes"_a, nb::kw_only(), "threads"_a);
}
