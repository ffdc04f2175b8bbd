#include "vectors/vectors.hpp"

#include "bindings/arrays.hpp"

using namespace nlg;

namespace {

const char* text_of(const Column<u8>& bytes) { return reinterpret_cast<const char*>(bytes.data()); }

// Words one after the other, and the table that finds them: checked once, trusted afterwards.
class WordTable {
 public:
  WordTable(Column<u8> bytes, Starts starts, Column<u32> table)
      : bytes_(std::move(bytes)), starts_(std::move(starts)), table_(std::move(table)) {
    if (starts_.size() == 0) throw nb::value_error("the places of its words are missing");
    const nb::gil_scoped_release unlocked;
    if (const char* fault = index().fault(starts_.size() - 1, bytes_.size())) throw std::invalid_argument(fault);
  }

  auto find(const Texts& words) const {
    std::vector<std::int64_t> rows(words.size());
    {
      const nb::gil_scoped_release unlocked;
      for (std::size_t i = 0; i < words.size(); ++i) {
        checkpoint(16);
        rows[i] = index().find(words[i]);
      }
    }
    return released(std::move(rows));
  }

 private:
  WordIndex index() const { return {text_of(bytes_), starts_.data(), table_.data(), table_.size()}; }

  Column<u8> bytes_;
  Starts starts_;
  Column<u32> table_;
};

// The number of the first word that is not valid UTF-8, from 0; -1 if there is none.
std::int64_t invalid_word_py(const Column<u8>& bytes, const Starts& starts) {
  check_starts(starts, bytes.size());
  const nb::gil_scoped_release unlocked;
  for (std::size_t i = 0; i + 1 < starts.size(); ++i) {
    checkpoint(16);
    const auto size = static_cast<std::size_t>(starts.data()[i + 1] - starts.data()[i]);
    if (find_invalid_utf8(bytes.data() + starts.data()[i], size) < size) return static_cast<std::int64_t>(i);
  }
  return -1;
}

nb::tuple index_words_py(const Column<u8>& bytes, const Starts& starts) {
  check_starts(starts, bytes.size());
  const std::size_t words = starts.size() - 1;
  if (words >= 0xFFFFFFFFu) throw nb::value_error("more words than the table can number");
  std::vector<u32> table(WordIndex::slots_for(words));
  std::vector<std::int64_t> repeated;
  {
    const nb::gil_scoped_release unlocked;
    repeated = WordIndex::fill(text_of(bytes), starts.data(), words, table.data(), table.size());
  }
  return nb::make_tuple(released(std::move(table)), released(std::move(repeated)));
}

// (matrix, bytes of the words, their starts), or (line, what is wrong with it).
nb::tuple parse_vectors_py(const Column<u8>& data, bool binary) {
  try {
    ParsedVectors found;
    {
      const nb::gil_scoped_release unlocked;
      const std::string_view text(text_of(data), data.size());
      found = binary ? parse_binary_vectors(text) : parse_text_vectors(text);
    }
    const std::size_t words = found.starts.size() - 1, width = found.width;
    std::vector<u8> bytes(found.words.begin(), found.words.end());
    return nb::make_tuple(released(std::move(found.matrix), words, width), released(std::move(bytes)),
                          released(std::move(found.starts)));
  } catch (const BadVectors& bad) {
    return nb::make_tuple(bad.line, nb::bytes(bad.what()));
  }
}

nb::tuple number_words_py(const Texts& texts, const std::string& tokenizer, bool lowercase, const Reading* reading) {
  NumberedWords found;
  {
    const nb::gil_scoped_release unlocked;
    found = number_words(texts, {parse(kTokenizers, tokenizer), lowercase, reading ? *reading : Reading{}});
  }
  const std::size_t size = found.word_starts.size() - 1;
  auto bytes = Texts::arena(found.words.size());
  std::memcpy(bytes.get(), found.words.data(), found.words.size());
  std::vector<u64> ends(size + 1);
  std::copy(found.word_starts.begin(), found.word_starts.end(), ends.begin());
  return nb::make_tuple(released(std::move(found.numbers)), released(std::move(found.starts)),
                        Texts(std::move(bytes), std::move(ends)));
}

}  // namespace

void bind_vectors(nb::module_& m) {
  m.def("index_words", &index_words_py, "bytes"_a, "starts"_a);
  m.def("invalid_word", &invalid_word_py, "bytes"_a, "starts"_a);
  nb::class_<WordTable>(m, "WordTable")
      .def(nb::init<Column<u8>, Starts, Column<u32>>(), "bytes"_a, "starts"_a, "table"_a)
      .def("find", &WordTable::find, "words"_a);
  m.def("parse_vectors", &parse_vectors_py, "data"_a, nb::kw_only(), "binary"_a);
  m.def("number_words", &number_words_py, "texts"_a, "tokenizer"_a, "lowercase"_a, "reading"_a.none() = nb::none());
}
