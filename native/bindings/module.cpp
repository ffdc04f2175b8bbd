// The module: texts, and rows of statistics from kernels. Only the files of this folder know Python.
// Strings are copied in one pass under the interpreter lock; everything else runs without it.
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <optional>

#include "core/simd.hpp"
#include "vectors/floats.hpp"
#include "bindings/arrays.hpp"

using namespace nlg;

const Choices<Tokenizer> kTokenizers = {{"space", Tokenizer::kSpace},
                                        {"ascii", Tokenizer::kAscii},
                                        {"char", Tokenizer::kChar},
                                        {"13a", Tokenizer::k13a},
                                        {"13a-lower", Tokenizer::k13aLower},
                                        {"intl", Tokenizer::kIntl},
                                        {"mteval-intl", Tokenizer::kMtevalIntl},
                                        {"zh", Tokenizer::kZh},
                                        {"rouge", Tokenizer::kRouge},
                                        {"rouge155", Tokenizer::kRouge155},
                                        {"unicode", Tokenizer::kUnicode}};

namespace {

using NewRows = nb::ndarray<nb::numpy, double, nb::ndim<2>>;
using ReferenceWeights = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

struct OwnedMatrix {
  std::size_t rows, columns;
  std::unique_ptr<double[]> data;
  OwnedMatrix(std::size_t r, std::size_t c) : rows(r), columns(c), data(new double[r * c + 1]) {}
  NewRows release() {
    double* p = data.release();
    nb::capsule owner(p, [](void* q) noexcept { delete[] static_cast<double*>(q); });
    return NewRows(p, {rows, columns}, owner);
  }
};

struct OwnedStarts {
  std::size_t size;
  std::unique_ptr<std::int64_t[]> data;
  explicit OwnedStarts(std::size_t n) : size(n), data(new std::int64_t[n]) {}
  nb::ndarray<nb::numpy, std::int64_t, nb::ndim<1>> release() {
    std::int64_t* p = data.release();
    nb::capsule owner(p, [](void* q) noexcept { delete[] static_cast<std::int64_t*>(q); });
    return nb::ndarray<nb::numpy, std::int64_t, nb::ndim<1>>(p, {size}, owner);
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

// The items of any sequence, without a copy if it is a list or tuple.
class Items {
 public:
  Items(nb::handle sequence, const char* expected) : fast_(nb::steal(PySequence_Fast(sequence.ptr(), expected))) {
    if (!fast_.is_valid()) throw nb::python_error();
  }
  std::size_t size() const { return PySequence_Fast_GET_SIZE(fast_.ptr()); }
  PyObject* operator[](std::size_t i) const { return PySequence_Fast_GET_ITEM(fast_.ptr(), i); }

 private:
  nb::object fast_;
};

// Packs strings in two passes: sizes, then bytes.
class Packer {
 public:
  void add(PyObject* s, const std::string& where) {
    if (!PyUnicode_Check(s)) {
      const std::string message = where + " is " + Py_TYPE(s)->tp_name + ", expected str";
      throw nb::type_error(message.c_str());
    }
    const std::size_t size =
        PyUnicode_IS_ASCII(s) ? static_cast<std::size_t>(PyUnicode_GET_LENGTH(s))
                              : with_characters(s, [](const auto* c, std::size_t k) { return utf8_size(c, k); });
    strings_.push_back(s);
    ends_.push_back(ends_.back() + size);
  }
  void reserve(std::size_t n) {
    strings_.reserve(n);
    ends_.reserve(n + 1);
  }
  std::size_t size() const { return strings_.size(); }
  Texts pack() {
    auto bytes = Texts::arena(ends_.back());
    for (std::size_t i = 0; i < strings_.size(); ++i) {
      char* out = bytes.get() + ends_[i];
      PyObject* s = strings_[i];
      if (PyUnicode_IS_ASCII(s)) std::memcpy(out, PyUnicode_DATA(s), ends_[i + 1] - ends_[i]);
      else with_characters(s, [&](const auto* c, std::size_t k) { return encode_all(c, k, out); });
    }
    return {std::move(bytes), std::move(ends_)};
  }

 private:
  std::vector<PyObject*> strings_;  // borrowed: the caller's sequences keep them
  std::vector<u64> ends_{0};
};

Texts texts_from_strings(nb::handle strings) {
  const Items items(strings, "expected a sequence of str");
  Packer packer;
  packer.reserve(items.size());
  for (std::size_t i = 0; i < items.size(); ++i) {
    packer.add(items[i], PyUnicode_Check(items[i]) ? std::string() : "item " + std::to_string(i));
  }
  return packer.pack();
}

// One sequence of strings per segment: all strings, and where each segment's start.
nb::tuple texts_from_lists(nb::handle lists) {
  const Items outer(lists, "expected a sequence of sequences of str");
  std::vector<Items> kept;  // keeps converted sequences, and so their strings, alive
  kept.reserve(outer.size());
  Packer packer;
  packer.reserve(outer.size());
  OwnedStarts starts(outer.size() + 1);
  starts.data[0] = 0;
  for (std::size_t i = 0; i < outer.size(); ++i) {
    if (PyUnicode_Check(outer[i]) || !PySequence_Check(outer[i])) {  // a str is a sequence, too: of characters
      throw nb::type_error(("entry " + std::to_string(i) + " is " + Py_TYPE(outer[i])->tp_name).c_str());
    }
    kept.emplace_back(outer[i], "expected a sequence of str");
    for (std::size_t k = 0; k < kept.back().size(); ++k) {
      PyObject* s = kept.back()[k];
      packer.add(s, PyUnicode_Check(s) ? std::string() : "item " + std::to_string(k) + " of entry " + std::to_string(i));
    }
    starts.data[i + 1] = static_cast<std::int64_t>(packer.size());
  }
  return nb::make_tuple(packer.pack(), starts.release());
}

using Offsets = nb::ndarray<const u64, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Bytes = nb::ndarray<const u8, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

// Text i is [offsets[i], offsets[i + 1]) of the data, which is copied.
Texts cut_texts(const u8* data, std::size_t size, const Offsets& offsets) {
  const u64* const at = offsets.data();
  const std::size_t count = offsets.size();
  if (count == 0 || at[count - 1] > size || !std::is_sorted(at, at + count))
    throw nb::value_error("the offsets do not fit the data");
  const std::size_t length = at[count - 1] - at[0];
  auto bytes = Texts::arena(length);
  std::memcpy(bytes.get(), data + at[0], length);
  std::vector<u64> ends(at, at + count);
  for (u64& end : ends) end -= at[0];
  return {std::move(bytes), std::move(ends)};
}

// Takes texts as Arrow keeps them; raises with the number of the first that is not valid UTF-8.
Texts texts_from_buffers(const Bytes& data, const Offsets& offsets) {
  Texts texts = cut_texts(data.data(), data.size(), offsets);
  if (texts.size() == 0) return texts;
  const auto* const start = reinterpret_cast<const u8*>(texts[0].data());
  const std::size_t valid = find_invalid_utf8(start, texts.bytes());
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const auto* const text = reinterpret_cast<const u8*>(texts[i].data());
    const std::size_t first = static_cast<std::size_t>(text - start), last = first + texts[i].size();
    // Valid as a whole, a column may yet be cut within a character.
    if ((valid >= first && valid < last) || (last > first && (*text & 0xC0) == 0x80))
      throw nb::value_error(("text " + std::to_string(i) + " is not valid UTF-8").c_str());
  }
  return texts;
}

nb::tuple texts_state(const Texts& self) {
  std::vector<u64> offsets(1, 0);
  for (std::size_t i = 0; i < self.size(); ++i) offsets.push_back(offsets.back() + self[i].size());
  const char* const start = self.size() == 0 ? "" : self[0].data();
  return nb::make_tuple(nb::bytes(start, self.bytes()), released(std::move(offsets)));
}

void set_texts_state(Texts& self, const std::tuple<nb::bytes, Offsets>& state) {
  const auto& [data, offsets] = state;
  new (&self) Texts(cut_texts(reinterpret_cast<const u8*>(data.c_str()), data.size(), offsets));
}

nb::object to_str(std::string_view text) {
  return nb::steal(PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "surrogatepass"));
}

std::vector<NewRows> compute_rows_py(const Texts& hyps, const Texts& refs, const Starts& ref_starts,
                                    const std::optional<ReferenceWeights>& ref_weights, const std::string& tokenizer, bool lowercase,
                                    const std::vector<const Kernel*>& kernels, unsigned threads, const Reading* reading) {
  check_references(ref_starts, hyps.size(), refs.size());
  check_present(kernels);
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
    const Preparation preparation{parse(kTokenizers, tokenizer), lowercase, reading ? *reading : Reading{}};
    compute_rows(batch, preparation, kernels, pointers, threads);
  }
  std::vector<NewRows> matrices;
  for (auto& output : outputs) matrices.push_back(output.release());
  return matrices;
}

nb::list tokenize_py(const Texts& texts, const std::string& name, bool lowercase, const Reading* reading) {
  const Texts none;
  const std::vector<std::int64_t> starts(texts.size() + 1, 0);
  const Preparation preparation{parse(kTokenizers, name), lowercase, reading ? *reading : Reading{}};
  SegmentReader reader({texts, none, starts.data(), nullptr}, preparation, true, true);
  nb::list result;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const Segment& segment = reader.read(i);
    checkpoint(64 * segment.hyp().size);
    nb::list row;
    for (u32 k = 0; k < segment.hyp().size; ++k) {
      const Word& word = segment.hyp_words()[k];
      row.append(to_str({word.data, word.size}));
    }
    result.append(row);
  }
  return result;
}

}  // namespace

NB_MODULE(_native, m) {
  signals = [] {
    const nb::gil_scoped_acquire locked;
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
  };
  nb::class_<Texts>(m, "Texts")
      .def("__init__", [](Texts* self, nb::handle strings) { new (self) Texts(texts_from_strings(strings)); }, "strings"_a)
      .def_static(
          "from_lines",
          [](nb::bytes data) {
            const std::string_view text(data.c_str(), data.size());
            check_utf8(text);
            return split_lines(text);
          },
          "data"_a)
      .def_static("from_lists", &texts_from_lists, "lists"_a)
      .def("__len__", &Texts::size)
      .def("__getitem__",
           [](const Texts& self, std::int64_t i) {
             const auto n = static_cast<std::int64_t>(self.size());
             if (i < 0) i += n;
             if (i < 0 || i >= n) throw nb::index_error("text index out of range");
             return to_str(self[static_cast<std::size_t>(i)]);
           })
      .def("__getstate__", &texts_state)
      .def("__setstate__", &set_texts_state)
      .def_static("from_buffers", &texts_from_buffers, "data"_a, "offsets"_a)
      .def_prop_ro("nbytes", &Texts::bytes);

  m.def("has_avx2", [] { return NLG_HAS_AVX2() != 0; });
  m.def("kernels", [] { return std::string(float_kernels().name); });
  m.def("available_kernels", [] {
    std::vector<std::string> names;
    for (const FloatKernels* kernels : available_kernels()) names.emplace_back(kernels->name);
    return names;
  });
  m.def("find_invalid_utf8", [](nb::bytes data) {
    return find_invalid_utf8(reinterpret_cast<const u8*>(data.c_str()), data.size());
  }, "data"_a);

  bind_text(m);
  nb::class_<Kernel>(m, "Kernel").def_prop_ro("columns", &Kernel::columns);
  bind_ngram(m);
  bind_frequency(m);
  bind_similarity(m);
  bind_character(m);
  bind_edit(m);
  bind_rouge(m);
  bind_order(m);
  bind_lexicon(m);
  bind_meteor_next(m);
  bind_translations(m);
  bind_alignment(m);
  bind_grounded(m);
  bind_ter(m);
  bind_terp(m);
  bind_scripts(m);
  bind_trees(m);
  bind_phrases(m);
  bind_embedding(m);
  bind_transport(m);
  bind_cky(m);
  bind_vectors(m);
  bind_encoder(m);
  bind_lstm(m);
  bind_greedy(m);
  bind_linearise(m);

  m.def("compute_rows", &compute_rows_py, "hyps"_a, "refs"_a, "ref_starts"_a, "ref_weights"_a.none(), "tokenizer"_a,
        "lowercase"_a, "kernels"_a, "threads"_a, "reading"_a.none() = nb::none());
  m.def("tokenize", &tokenize_py, "texts"_a, "tokenizer"_a, "lowercase"_a, "reading"_a.none() = nb::none());
  bind_resampling(m);
}
