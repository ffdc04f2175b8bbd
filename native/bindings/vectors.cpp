#include "../vectors.hpp"

#include "arrays.hpp"

using namespace nlg;

namespace {

void check(const Column<u8>& bytes, const Starts& starts) {
  const std::int64_t* const s = starts.data();
  if (starts.size() == 0 || s[0] != 0 || s[starts.size() - 1] != static_cast<std::int64_t>(bytes.size()))
    throw nb::value_error("the words do not fit their places");
}

const char* text_of(const Column<u8>& bytes) { return reinterpret_cast<const char*>(bytes.data()); }

nb::tuple index_words_py(const Column<u8>& bytes, const Starts& starts) {
  check(bytes, starts);
  const std::size_t words = starts.size() - 1;
  std::vector<u32> table(WordIndex::slots_for(words));
  std::vector<std::int64_t> repeated;
  {
    const nb::gil_scoped_release unlocked;
    repeated = WordIndex::fill(text_of(bytes), starts.data(), words, table.data(), table.size());
  }
  return nb::make_tuple(released(std::move(table)), released(std::move(repeated)));
}

auto find_words_py(const Column<u8>& bytes, const Starts& starts, const Column<u32>& table,
                   const Texts& words) {
  check(bytes, starts);
  const std::size_t slots = table.size();
  if (slots < starts.size() || (slots & (slots - 1)) != 0) throw nb::value_error("the table does not fit the words");
  std::vector<std::int64_t> rows(words.size());
  {
    const nb::gil_scoped_release unlocked;
    const WordIndex index{text_of(bytes), starts.data(), table.data(), slots};
    for (std::size_t i = 0; i < words.size(); ++i) rows[i] = index.find(words[i]);
  }
  return released(std::move(rows));
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
  m.def("find_words", &find_words_py, "bytes"_a, "starts"_a, "table"_a, "words"_a);
  m.def("parse_vectors", &parse_vectors_py, "data"_a, nb::kw_only(), "binary"_a);
  m.def("number_words", &number_words_py, "texts"_a, "tokenizer"_a, "lowercase"_a, "reading"_a.none() = nb::none());
}
