#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "text/lexicon.hpp"
#include "bindings/bindings.hpp"

using namespace nlg;

const Choices<WordSet> kWordSets = {
    {"synsets", WordSet::kSynsets}, {"lemmas", WordSet::kLemmas}, {"meteor", WordSet::kMeteor},
    {"nltk", WordSet::kNltk},       {"name", WordSet::kName},     {"jaws", WordSet::kJaws}};

namespace {

using Numbers = nb::ndarray<const u32, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Bytes = nb::ndarray<const u8, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Out = nb::ndarray<nb::numpy, u32, nb::ndim<1>>;

std::vector<u32> numbers(const Numbers& a) { return {a.data(), a.data() + a.size()}; }
std::string_view text(const Bytes& a) { return {reinterpret_cast<const char*>(a.data()), a.size()}; }

Out array(const std::vector<u32>& values) {
  auto* data = new u32[values.size() + 1];
  std::copy(values.begin(), values.end(), data);
  nb::capsule owner(data, [](void* p) noexcept { delete[] static_cast<u32*>(p); });
  return Out(data, {values.size()}, owner);
}

// The sets of many words: where each starts, and all numbers.
nb::tuple sets_py(const Lexicon& self, const std::vector<std::string>& words, const std::string& kind) {
  const WordSet set = parse(kWordSets, kind);
  std::vector<u32> starts{0}, all, one;
  for (const auto& word : words) {
    checkpoint(256);
    self.set_of(word, set, one);
    all.insert(all.end(), one.begin(), one.end());
    starts.push_back(static_cast<u32>(all.size()));
  }
  return nb::make_tuple(array(starts), array(all));
}

std::vector<u32> senses_py(const Lexicon& self, u32 lemma, u32 part) {
  if (lemma >= self.size() || part >= Lexicon::kParts) throw nb::index_error("no such lemma or part of speech");
  const auto [a, b] = self.senses(lemma, part);
  return {a, b};
}

std::vector<u32> bases_py(const Lexicon& self, const std::string& word, u32 part) {
  if (part >= Lexicon::kParts) throw nb::index_error("no such part of speech");
  std::vector<u32> out;
  self.bases(word, part, out);
  return out;
}

}  // namespace

void bind_lexicon(nb::module_& m) {
  nb::class_<Lexicon>(m, "Lexicon")
      .def(
          "__init__",
          [](Lexicon* self, const Bytes& lemma_bytes, const Numbers& lemma_starts, const Numbers& sense_starts,
             const Numbers& senses, const Numbers& offsets, const Numbers& part_starts, const Bytes& exceptions,
             bool inflected, const Numbers& spelled_senses, const Numbers& spelled_starts, const Bytes& spelled_bytes) {
            new (self) Lexicon(std::string(text(lemma_bytes)), numbers(lemma_starts), numbers(sense_starts), numbers(senses),
                               numbers(offsets), numbers(part_starts), text(exceptions), inflected,
                               numbers(spelled_senses), numbers(spelled_starts), text(spelled_bytes));
          },
          nb::kw_only(), "lemma_bytes"_a, "lemma_starts"_a, "sense_starts"_a, "senses"_a, "offsets"_a, "part_starts"_a,
          "exceptions"_a, "inflected"_a, "spelled_senses"_a, "spelled_starts"_a, "spelled_bytes"_a)
      .def("__len__", &Lexicon::size)
      .def("find",
           [](const Lexicon& self, const std::string& word) {
             const u32 found = self.find(word);
             return found == Lexicon::kNone ? -1 : static_cast<std::int64_t>(found);
           },
           "word"_a)
      .def("lemma", [](const Lexicon& self, u32 k) {
             if (k >= self.size()) throw nb::index_error("no such lemma");
             return std::string(self.lemma(k));
           },
           "number"_a)
      .def("senses", &senses_py, "lemma"_a, "part"_a)
      .def("bases", &bases_py, "word"_a, "part"_a)
      .def("sets", &sets_py, "words"_a, "kind"_a);
}
