#include "vectors/yisi.hpp"

#include <nanobind/stl/vector.h>

#include "bindings/arrays.hpp"

using namespace nlg;

namespace {

using Table = nb::ndarray<nb::numpy, double, nb::ndim<2>>;

// Precision and recall of pairs of texts. Pair p has hyp_sizes[p] and ref_sizes[p] words; their weights,
// and their similarities row by row, stand one after the other.
Table ngram_similarities(const Column<double>& similarities, const Column<double>& hyp_weights,
                         const Column<std::int64_t>& hyp_sizes, const Column<double>& ref_weights,
                         const Column<std::int64_t>& ref_sizes, u32 order, unsigned threads) {
  const std::size_t pairs = hyp_sizes.size();
  if (ref_sizes.size() != pairs || order < 1) throw nb::value_error("the columns do not fit each other");
  std::vector<std::int64_t> hyp_at(pairs + 1), ref_at(pairs + 1), at(pairs + 1);
  for (std::size_t p = 0; p < pairs; ++p) {
    const std::int64_t hyp = hyp_sizes.data()[p], ref = ref_sizes.data()[p];
    const std::int64_t most = 1 << 30;
    if (hyp < 0 || ref < 0 || hyp > most || ref > most) throw nb::value_error("no such number of words");
    hyp_at[p + 1] = hyp_at[p] + hyp;
    ref_at[p + 1] = ref_at[p] + ref;
    at[p + 1] = at[p] + hyp * ref;
  }
  if (static_cast<std::size_t>(hyp_at[pairs]) != hyp_weights.size() ||
      static_cast<std::size_t>(ref_at[pairs]) != ref_weights.size() ||
      static_cast<std::size_t>(at[pairs]) != similarities.size())
    throw nb::value_error("the columns do not fit each other");
  std::vector<double> found(2 * pairs);
  {
    const nb::gil_scoped_release unlocked;
    parallel(pairs, threads, [&] {
      return [&, compare = NgramSimilarity()](std::size_t first, std::size_t last) mutable {
        for (std::size_t p = first; p < last; ++p) {
          const auto hyp = static_cast<u32>(hyp_sizes.data()[p]), ref = static_cast<u32>(ref_sizes.data()[p]);
          if (hyp == 0 || ref == 0) continue;
          const double* rows = similarities.data() + at[p];
          const auto [precision, recall] =
              compare(hyp_weights.data() + hyp_at[p], hyp, ref_weights.data() + ref_at[p], ref, order,
                      [&](u32 i, double* out) { std::copy_n(rows + static_cast<std::size_t>(i) * ref, ref, out); });
          found[2 * p] = precision;
          found[2 * p + 1] = recall;
        }
      };
    });
  }
  return released(std::move(found), pairs, 2);
}

Spelling spelling(const std::vector<std::string>& words, bool bytes) {
  Spelling result;
  result.ends.assign(1, 0);
  for (std::string word : words) {
    const std::size_t size = word.size();
    word.append(kPadding, '\0');
    const auto* s = reinterpret_cast<const u8*>(word.data());
    for (u32 k = 0, step = 1; k < size; k += step) result.characters.push_back(bytes ? s[k] : decode(s + k, step));
    result.ends.push_back(static_cast<u32>(result.characters.size()));
  }
  return result;
}

// Twice the longest common substring over both lengths, for all pairs of words that are not empty.
Table substring_similarities(const std::vector<std::string>& hyp, const std::vector<std::string>& ref, bool bytes) {
  const Spelling left = spelling(hyp, bytes), right = spelling(ref, bytes);
  std::vector<double> found(hyp.size() * ref.size());
  CommonSubstring common;
  for (std::size_t i = 0; i < hyp.size(); ++i)
    for (std::size_t j = 0; j < ref.size(); ++j) {
      const double length = static_cast<double>(left[i].second) + right[j].second;
      if (length > 0) found[i * ref.size() + j] = 2.0 * common(left[i], right[j]) / length;
    }
  return released(std::move(found), hyp.size(), ref.size());
}

}  // namespace

void bind_similarity(nb::module_& m) {
  m.def("ngram_similarities", &ngram_similarities, "similarities"_a, "hyp_weights"_a, "hyp_sizes"_a, "ref_weights"_a,
        "ref_sizes"_a, nb::kw_only(), "order"_a, "threads"_a);
  m.def("substring_similarities", &substring_similarities, "hyp"_a, "ref"_a, nb::kw_only(), "bytes"_a);
}
