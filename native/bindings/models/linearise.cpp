#include "structure/linearise.hpp"

#include <nanobind/stl/tuple.h>

#include <cmath>

#include "bindings/arrays.hpp"

using namespace nlg;

namespace {

using Doubles = Column<double>;
using Keys = Column<std::int64_t>;

// Keeps the arrays that the model looks at.
struct TrigramModel {
  Doubles one, one_left, two, two_left, three;
  Keys two_keys, three_keys;
  Trigrams trigrams;
};

TrigramArrays checked(const Doubles& one, const Doubles& one_left, const Keys& two_keys, const Doubles& two,
                      const Doubles& two_left, const Keys& three_keys, const Doubles& three) {
  if (one.size() != one_left.size() || two.size() != two_keys.size() || two_left.size() != two_keys.size() ||
      three.size() != three_keys.size() || one.size() == 0 || one.size() > (std::size_t{1} << kWordBits) ||
      std::max(two.size(), three.size()) >= (std::size_t{1} << 31))
    throw nb::value_error("the columns do not fit each other");
  for (const Keys* keys : {&two_keys, &three_keys})
    for (std::size_t i = 1; i < keys->size(); ++i)
      if (keys->data()[i] <= keys->data()[i - 1]) throw nb::value_error("the keys are not in order");
  return {one.data(), one_left.data(), one.size(), two_keys.data(), two.data(), two_left.data(),
          two.size(), three_keys.data(), three.data(), three.size()};
}

void make(TrigramModel* self, Doubles one, Doubles one_left, Keys two_keys, Doubles two, Doubles two_left, Keys three_keys,
          Doubles three) {
  const TrigramArrays arrays = checked(one, one_left, two_keys, two, two_left, three_keys, three);
  new (self) TrigramModel{std::move(one),      std::move(one_left), std::move(two),        std::move(two_left),
                           std::move(three), std::move(two_keys), std::move(three_keys), Trigrams(arrays)};
}

// Refuses heads that lead out of the tree or round in a circle, and nodes with too many daughters.
void check_heads(const std::int32_t* heads, std::int64_t size) {
  std::vector<std::size_t> daughters(static_cast<std::size_t>(size) + 1);
  std::vector<std::uint8_t> done(static_cast<std::size_t>(size));
  std::vector<std::int32_t> path;
  for (std::int64_t i = 0; i < size; ++i) {
    if (heads[i] < -1 || heads[i] >= size) throw nb::value_error("head beyond the last node");
    if (++daughters[static_cast<std::size_t>(heads[i] < 0 ? size : heads[i])] > kMostDaughters)
      throw nb::value_error("a node has too many daughters");
    path.clear();
    for (auto at = static_cast<std::int32_t>(i); at >= 0 && !done[at]; at = heads[at]) {
      path.push_back(at);
      if (path.size() > static_cast<std::size_t>(size)) throw nb::value_error("heads go round in a circle");
    }
    for (const std::int32_t at : path) done[at] = 1;
  }
}

// Of each tree, the best orders: tree, score, and all nodes one after the other.
auto orders_py(const TrigramModel& self, const Column<u32>& words, const Column<std::int32_t>& heads, const Matrix<double>& sides,
               const Starts& starts, const Matrix<std::int32_t>& sisters, const Matrix<double>& orders,
               const Starts& pair_starts, u32 start, u32 end, std::size_t beam, std::size_t variants, std::size_t best,
               unsigned threads) {
  check_starts(starts, words.size());
  check_starts(pair_starts, sisters.shape(0));
  if (heads.size() != words.size() || sides.shape(0) != words.size() || sides.shape(1) != 2 ||
      sisters.shape(1) != 2 || orders.shape(0) != sisters.shape(0) || orders.shape(1) != 4 ||
      starts.size() != pair_starts.size() || beam < 1 || variants < 1)
    throw nb::value_error("the columns do not fit each other");
  const auto unknown = [&](u32 word) { return word >= self.trigrams.words(); };
  if (unknown(start) || unknown(end) || std::any_of(words.data(), words.data() + words.size(), unknown))
    throw nb::value_error("a word is not in the vocabulary");
  const auto finite = [](const Matrix<double>& values) {
    return std::all_of(values.data(), values.data() + values.size(), [](double v) { return std::isfinite(v); });
  };
  if (!finite(sides) || !finite(orders)) throw nb::value_error("weights must be finite");
  const std::size_t count = starts.size() - 1;
  for (std::size_t t = 0; t < count; ++t) {
    const std::int64_t from = starts.data()[t], size = starts.data()[t + 1] - from;
    check_heads(heads.data() + from, size);
    for (std::int64_t p = pair_starts.data()[t]; p < pair_starts.data()[t + 1]; ++p) {
      const std::int32_t a = sisters.data()[2 * p], b = sisters.data()[2 * p + 1];
      if (std::min(a, b) < 0 || std::max(a, b) >= size || a == b || heads.data()[from + a] != heads.data()[from + b])
        throw nb::value_error("a pair of nodes that are no sisters");
    }
  }
  std::vector<std::vector<Lineariser::Ordered>> found(count);
  {
    const nb::gil_scoped_release unlocked;
    parallel(count, threads, [&] {
      return [&, search = Lineariser(self.trigrams, {beam, variants}, start, end)](std::size_t first, std::size_t last) mutable {
        for (std::size_t t = first; t < last; ++t) {
          const auto from = static_cast<std::size_t>(starts.data()[t]), p = static_cast<std::size_t>(pair_starts.data()[t]);
          const LatticeTree tree{static_cast<std::size_t>(starts.data()[t + 1]) - from, words.data() + from,
                                 heads.data() + from, sides.data() + 2 * from,
                                 static_cast<std::size_t>(pair_starts.data()[t + 1]) - p, sisters.data() + 2 * p,
                                 orders.data() + 4 * p};
          found[t] = search(tree, best);
        }
      };
    }, 1);
  }
  std::vector<std::int64_t> trees;
  std::vector<double> scores;
  std::vector<std::int32_t> nodes;
  for (std::size_t t = 0; t < count; ++t)
    for (const auto& each : found[t]) {
      trees.push_back(static_cast<std::int64_t>(t));
      scores.push_back(each.score);
      nodes.insert(nodes.end(), each.nodes.begin(), each.nodes.end());
    }
  return std::make_tuple(released(std::move(trees)), released(std::move(scores)), released(std::move(nodes)));
}

}  // namespace

void bind_linearise(nb::module_& m) {
  nb::class_<TrigramModel>(m, "Trigrams")
      .def("__init__", &make, "one"_a, "one_left"_a, "two_keys"_a, "two"_a, "two_left"_a, "three_keys"_a, "three"_a)
      .def("log_probability", [](const TrigramModel& self, u32 first, u32 second, u32 word) {
        if (std::max({first, second, word}) >= self.trigrams.words()) throw nb::value_error("a word is not in the vocabulary");
        return self.trigrams.three(first, second, word);
      }, "first"_a, "second"_a, "word"_a)
      .def("orders", &orders_py, "words"_a, "heads"_a, "sides"_a, "starts"_a, "sisters"_a, "orders"_a, "pair_starts"_a,
           nb::kw_only(), "start"_a, "end"_a, "beam"_a, "variants"_a, "best"_a, "threads"_a);
}
