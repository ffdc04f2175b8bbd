#include "vectors/embedding.hpp"

#include "bindings/arrays.hpp"

using namespace nlg;

namespace {

const Choices<Pooling> kPoolings = {
    {"average", Pooling::kAverage}, {"extrema", Pooling::kExtrema}, {"nlg-eval", Pooling::kToolExtrema},
    {"max_min", Pooling::kMaxMin},  {"avg", Pooling::kAverage},     {"all", Pooling::kAll}};

// Texts whose words are rows of points, and pairs of them; text t has the words [starts[t], starts[t + 1]).
struct Pairs {
  Points points;
  std::size_t rows;
  const std::int32_t* words;
  const std::int64_t *starts, *left, *right;
  std::size_t texts, size;

  Pairs(const Matrix<float>& m, const Column<std::int32_t>& w, const Starts& s, const Starts& l, const Starts& r)
      : points{m.data(), m.shape(1)}, rows(m.shape(0)), words(w.data()), starts(s.data()), left(l.data()),
        right(r.data()), texts(s.size() - 1), size(l.size()) {
    check_starts(s, w.size());
    if (l.size() != r.size()) throw nb::value_error("as many texts on the right as on the left");
    for (std::size_t p = 0; p < size; ++p)
      if (std::min(left[p], right[p]) < 0 || std::max(left[p], right[p]) >= static_cast<std::int64_t>(texts))
        throw nb::value_error("no such text");
    for (std::size_t k = 0; k < w.size(); ++k)
      if (words[k] >= static_cast<std::int64_t>(rows)) throw nb::value_error("no such point");
  }
  PointWords text(std::int64_t t) const {
    return {words + starts[t], static_cast<std::size_t>(starts[t + 1] - starts[t])};
  }
};

// each(worker, p) for every p below size; make_worker() once a thread.
template <class MakeWorker, class Each>
void for_each(std::size_t size, unsigned threads, MakeWorker&& make_worker, Each&& each) {
  parallel(size, threads, [&] {
    return [&, worker = make_worker()](std::size_t first, std::size_t last) mutable {
      for (std::size_t p = first; p < last; ++p) each(worker, p);
    };
  });
}

auto word_movers_py(const Matrix<float>& points, const Column<std::int32_t>& words, const Starts& starts,
                    const Starts& left, const Starts& right, unsigned threads) {
  const Pairs pairs(points, words, starts, left, right);
  std::vector<double> distances(pairs.size);
  {
    const nb::gil_scoped_release unlocked;
    for_each(
        pairs.size, threads, [&] { return WordMover(pairs.points); },
        [&](WordMover& mover, std::size_t p) {
          const PointWords hyp = pairs.text(pairs.left[p]), ref = pairs.text(pairs.right[p]);
          distances[p] = mover(hyp.data, hyp.size, ref.data, ref.size);
        });
  }
  return released(std::move(distances));
}

// Means of the best cosines of the words of hypotheses and of references, [pairs, 2].
auto greedy_matching_py(const Matrix<float>& points, const Column<std::int32_t>& words, const Starts& starts,
                        const Starts& left, const Starts& right, unsigned threads) {
  const Pairs pairs(points, words, starts, left, right);
  std::vector<double> means(2 * pairs.size);
  {
    const nb::gil_scoped_release unlocked;
    const std::vector<double> unit = unit_points(pairs.points, pairs.rows);
    for_each(
        pairs.size, threads, [&] { return GreedyMatching(unit, pairs.points.width); },
        [&](GreedyMatching& matching, std::size_t p) {
          std::tie(means[2 * p], means[2 * p + 1]) = matching(pairs.text(pairs.left[p]), pairs.text(pairs.right[p]));
        });
  }
  return released(std::move(means), pairs.size, 2);
}

// Cosines of one vector for each text; NaN if a text has none.
auto pooled_cosines_py(const Matrix<float>& points, const Column<std::int32_t>& words, const Starts& starts,
                       const Starts& left, const Starts& right, const std::string& pooling, double empty,
                       unsigned threads) {
  const Pairs pairs(points, words, starts, left, right);
  const Pooling kind = parse(kPoolings, pooling);
  std::vector<double> cosines(pairs.size);
  {
    const nb::gil_scoped_release unlocked;
    const std::size_t width = pairs.points.width * pooled_parts(kind);
    std::vector<double> pooled(pairs.texts * width);
    std::vector<u8> any(pairs.texts);
    const auto nothing = [] { return 0; };
    for_each(pairs.texts, threads, nothing, [&](int, std::size_t t) {
      any[t] = pool(pairs.points, pairs.text(static_cast<std::int64_t>(t)), kind, empty, &pooled[t * width]);
    });
    for_each(pairs.size, threads, nothing, [&](int, std::size_t p) {
      const std::int64_t h = pairs.left[p], r = pairs.right[p];
      cosines[p] = any[h] && any[r] ? cosine(&pooled[h * width], &pooled[r * width], width)
                                    : std::numeric_limits<double>::quiet_NaN();
    });
  }
  return released(std::move(cosines));
}

}  // namespace

void bind_embedding(nb::module_& m) {
  m.def("word_movers", &word_movers_py, "points"_a, "words"_a, "starts"_a, "left"_a, "right"_a, nb::kw_only(),
        "threads"_a);
  m.def("greedy_matching", &greedy_matching_py, "points"_a, "words"_a, "starts"_a, "left"_a, "right"_a, nb::kw_only(),
        "threads"_a);
  m.def("pooled_cosines", &pooled_cosines_py, "points"_a, "words"_a, "starts"_a, "left"_a, "right"_a, nb::kw_only(),
        "pooling"_a, "empty"_a, "threads"_a);
}
