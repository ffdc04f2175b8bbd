// The module: texts, and rows of statistics from kernels. Only the files of this folder know Python.
// Strings are copied in one pass under the interpreter lock; everything else runs without it.
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include <optional>

#include "../resample.hpp"
#include "bindings.hpp"

using namespace nlg;

namespace {

const Choices<Tokenizer> kTokenizers = {{"space", Tokenizer::kSpace},
                                        {"char", Tokenizer::kChar},
                                        {"13a", Tokenizer::k13a},
                                        {"intl", Tokenizer::kIntl},
                                        {"zh", Tokenizer::kZh}};

using Matrix = nb::ndarray<nb::numpy, double, nb::ndim<2>>;
using Starts = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Weights = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Rows = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Indices = nb::ndarray<const u32, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

struct OwnedMatrix {
  std::size_t rows, columns;
  std::unique_ptr<double[]> data;
  OwnedMatrix(std::size_t r, std::size_t c) : rows(r), columns(c), data(new double[r * c + 1]) {}
  Matrix release() {
    double* p = data.release();
    nb::capsule owner(p, [](void* q) noexcept { delete[] static_cast<double*>(q); });
    return Matrix(p, {rows, columns}, owner);
  }
};

template <class Char>
std::size_t utf8_size(const Char* s, std::size_t n) {
  std::size_t size = n;
  for (std::size_t i = 0; i < n; ++i) size += (s[i] >= 0x80) + (s[i] >= 0x800) + (s[i] >= 0x10000);
  return size;
}

template <class Char>
char* encode_all(const Char* s, std::size_t n, char* out) {
  for (std::size_t i = 0; i < n; ++i) out = encode(out, s[i]);
  return out;
}

// Calls f(characters, length) with the string in the width Python stores it in.
template <class F>
auto with_characters(PyObject* s, F&& f) {
  const std::size_t n = PyUnicode_GET_LENGTH(s);
  const void* data = PyUnicode_DATA(s);
  switch (PyUnicode_KIND(s)) {
    case PyUnicode_1BYTE_KIND: return f(static_cast<const Py_UCS1*>(data), n);
    case PyUnicode_2BYTE_KIND: return f(static_cast<const Py_UCS2*>(data), n);
    default: return f(static_cast<const Py_UCS4*>(data), n);
  }
}

Texts texts_from_strings(nb::handle strings) {
  const nb::object items = nb::steal(PySequence_Fast(strings.ptr(), "expected a sequence of str"));
  if (!items.is_valid()) throw nb::python_error();
  const std::size_t n = PySequence_Fast_GET_SIZE(items.ptr());
  PyObject** const item = PySequence_Fast_ITEMS(items.ptr());
  std::vector<u64> ends(n + 1, 0);
  for (std::size_t i = 0; i < n; ++i) {
    if (!PyUnicode_Check(item[i])) {
      const std::string message =
          "item " + std::to_string(i) + " is " + Py_TYPE(item[i])->tp_name + ", expected str";
      throw nb::type_error(message.c_str());
    }
    const std::size_t size =
        PyUnicode_IS_ASCII(item[i])
            ? static_cast<std::size_t>(PyUnicode_GET_LENGTH(item[i]))
            : with_characters(item[i], [](const auto* s, std::size_t k) { return utf8_size(s, k); });
    ends[i + 1] = ends[i] + size;
  }
  auto bytes = Texts::arena(ends[n]);
  for (std::size_t i = 0; i < n; ++i) {
    char* out = bytes.get() + ends[i];
    if (PyUnicode_IS_ASCII(item[i])) std::memcpy(out, PyUnicode_DATA(item[i]), ends[i + 1] - ends[i]);
    else with_characters(item[i], [&](const auto* s, std::size_t k) { return encode_all(s, k, out); });
  }
  return {std::move(bytes), std::move(ends)};
}

nb::object to_str(std::string_view text) {
  return nb::steal(PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "surrogatepass"));
}

std::vector<Matrix> compute_rows_py(const Texts& hyps, const Texts& refs, const Starts& ref_starts,
                                    const std::optional<Weights>& ref_weights, const std::string& tokenizer, bool lowercase,
                                    const std::vector<const Kernel*>& kernels, unsigned threads) {
  if (ref_starts.size() != hyps.size() + 1 || ref_starts.data()[hyps.size()] > static_cast<std::int64_t>(refs.size()))
    throw nb::value_error("ref_starts does not fit the hypotheses and references");
  if (ref_weights && ref_weights->size() != refs.size()) throw nb::value_error("one weight per reference expected");
  std::vector<OwnedMatrix> outputs;
  std::vector<double*> pointers;
  for (const Kernel* kernel : kernels) {
    outputs.emplace_back(hyps.size(), kernel->columns());
    pointers.push_back(outputs.back().data.get());
  }
  {
    const nb::gil_scoped_release unlocked;
    const Batch batch{hyps, refs, ref_starts.data(), ref_weights ? ref_weights->data() : nullptr};
    compute_rows(batch, {parse(kTokenizers, tokenizer), lowercase}, kernels, pointers, threads);
  }
  std::vector<Matrix> matrices;
  for (auto& output : outputs) matrices.push_back(output.release());
  return matrices;
}

nb::list tokenize_py(const Texts& texts, const std::string& name, bool lowercase) {
  const Tokenizer tokenizer = parse(kTokenizers, name);
  nb::list result;
  std::vector<Word> words;
  Scratch scratch;
  std::string lowered;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    std::string_view text = texts[i];
    if (lowercase) {
      lowered.resize(lower_bound_size(text.size()) + kPadding);
      text = {lowered.data(),
              static_cast<std::size_t>(lower(text, lowered.data(), scratch.code_points) - lowered.data())};
    }
    scratch.clear();
    words.resize(max_words(text.size()));
    const Word* const end = tokenize(tokenizer, text, scratch, words.data());
    nb::list row;
    for (const Word* w = words.data(); w != end; ++w) row.append(to_str({w->data, w->size}));
    result.append(row);
  }
  return result;
}

Matrix resampled_totals_py(const Rows& rows, const Indices& indices) {
  for (std::size_t i = 0; i < indices.size(); ++i)
    if (indices.data()[i] >= rows.shape(0)) throw nb::index_error("index beyond the last row");
  OwnedMatrix totals(indices.shape(0), rows.shape(1));
  {
    const nb::gil_scoped_release unlocked;
    resampled_totals(indices.data(), indices.shape(0), indices.shape(1), rows.data(), rows.shape(0), rows.shape(1),
                     totals.data.get());
  }
  return totals.release();
}

}  // namespace

NB_MODULE(_native, m) {
  nb::class_<Texts>(m, "Texts")
      .def("__init__", [](Texts* self, nb::handle strings) { new (self) Texts(texts_from_strings(strings)); }, "strings"_a)
      .def_static(
          "from_lines", [](nb::bytes data) { return split_lines({data.c_str(), data.size()}); }, "data"_a)
      .def("__len__", &Texts::size)
      .def("__getitem__",
           [](const Texts& self, std::int64_t i) {
             const auto n = static_cast<std::int64_t>(self.size());
             if (i < 0) i += n;
             if (i < 0 || i >= n) throw nb::index_error("text index out of range");
             return to_str(self[static_cast<std::size_t>(i)]);
           })
      .def_prop_ro("nbytes", &Texts::bytes);

  m.def("has_avx2", [] { return NLG_HAS_AVX2() != 0; });
  m.def("find_invalid_utf8", [](nb::bytes data) {
    return find_invalid_utf8(reinterpret_cast<const u8*>(data.c_str()), data.size());
  }, "data"_a);

  nb::class_<Kernel>(m, "Kernel").def_prop_ro("columns", &Kernel::columns);
  bind_ngram(m);
  bind_character(m);
  bind_edit(m);
  bind_ter(m);
  bind_scripts(m);
  bind_text(m);

  m.def("compute_rows", &compute_rows_py, "hyps"_a, "refs"_a, "ref_starts"_a, "ref_weights"_a.none(), "tokenizer"_a,
        "lowercase"_a, "kernels"_a, "threads"_a);
  m.def("tokenize", &tokenize_py, "texts"_a, "tokenizer"_a, "lowercase"_a);
  m.def("resampled_totals", &resampled_totals_py, "rows"_a, "indices"_a);
}
