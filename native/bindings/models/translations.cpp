#include "stats/translations.hpp"

#include <nanobind/stl/tuple.h>

#include "bindings/arrays.hpp"

using namespace nlg;

namespace {

// Keeps the arrays that the model looks at.
struct Model {
  Column<u32> given_words, words;
  Starts given_starts, starts;
  WordTranslations translations;
};

NumberedTexts numbered(const Column<u32>& words, const Starts& starts, u32 vocabulary) {
  check_starts(starts, words.size());
  for (std::size_t i = 0; i < words.size(); ++i)
    if (words.data()[i] >= vocabulary) throw nb::value_error("a word is not in the vocabulary");
  if (words.size() >= kMostTokens) throw nb::value_error("the texts have too many words");
  return {words.data(), starts.data(), starts.size() - 1, vocabulary};
}

void make_model(Model* self, Column<u32> given_words, Starts given_starts, u32 given_vocabulary, Column<u32> words,
          Starts starts, u32 vocabulary, std::size_t most_pairs, unsigned threads) {
  const NumberedTexts given = numbered(given_words, given_starts, given_vocabulary);
  const NumberedTexts texts = numbered(words, starts, vocabulary);
  if (given.size != texts.size || given_vocabulary == 0) throw nb::value_error("the columns do not fit each other");
  for (std::size_t i = 0; i < given_words.size(); ++i)
    if (given_words.data()[i] == 0) throw nb::value_error("given word 0 is no word");
  const nb::gil_scoped_release unlocked;
  new (self) Model{std::move(given_words), std::move(words), std::move(given_starts), std::move(starts),
                   WordTranslations(given, texts, most_pairs, threads)};
}

double iterate_model(Model& self, unsigned threads) {
  const nb::gil_scoped_release unlocked;
  return self.translations.iterate(threads);
}

auto model_entries(const Model& self, double least) {
  std::vector<u32> given, words;
  std::vector<double> probabilities;
  self.translations.entries(least, [&](u32 e, u32 word, double probability) {
    given.push_back(e);
    words.push_back(word);
    probabilities.push_back(probability);
  });
  return std::make_tuple(released(std::move(given)), released(std::move(words)), released(std::move(probabilities)));
}

}  // namespace

void bind_translations(nb::module_& m) {
  nb::exception<TooManyPairs>(m, "TooManyPairsError");
  nb::class_<Model>(m, "WordTranslations")
      .def("__init__", &make_model, "given_words"_a, "given_starts"_a, "given_vocabulary"_a, "words"_a, "starts"_a,
           "vocabulary"_a, nb::kw_only(), "most_pairs"_a, "threads"_a)
      .def("iterate", &iterate_model, nb::kw_only(), "threads"_a)
      .def("entries", &model_entries, nb::kw_only(), "least"_a)
      .def_prop_ro("pairs", [](const Model& self) { return self.translations.pairs(); });
}
