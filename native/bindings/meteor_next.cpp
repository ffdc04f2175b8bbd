#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unordered_map.h>
#include <nanobind/stl/unordered_set.h>
#include <nanobind/stl/vector.h>

#include "alignment/meteor_next.hpp"
#include "text/meteor_normalise.hpp"
#include "bindings/bindings.hpp"
#include "bindings/models/pairs.hpp"

using namespace nlg;

namespace {

const Choices<Module> kModules = {{"exact", Module::kExact},
                                  {"stem", Module::kStem},
                                  {"synonym", Module::kSynonym},
                                  {"paraphrase", Module::kParaphrase}};
const Choices<MeteorNormaliser::Apostrophes> kApostrophes = {{"english", MeteorNormaliser::Apostrophes::kEnglish},
                                                             {"french", MeteorNormaliser::Apostrophes::kFrench},
                                                             {"other", MeteorNormaliser::Apostrophes::kOther}};

using Parameters = std::tuple<double, double, double, double, double>;
using WordPairs = std::vector<std::pair<std::vector<std::string>, std::vector<std::string>>>;
using Found = std::tuple<u32, u32, u32, u32, u32>;

std::vector<u32> keys(const std::vector<std::string>& words) {
  std::vector<u32> result;
  for (const auto& word : words) result.push_back(java_hash(word));
  return result;
}

void make_kernel(MeteorNextKernel* self, const std::vector<std::string>& modules, std::vector<double> weights,
                 const Parameters& parameters, u32 beam, bool characters, WordList function_words,
                 std::shared_ptr<const Lexicon> lexicon, bool own_synonyms, std::shared_ptr<const Paraphrases> paraphrases,
                 std::unordered_map<std::string, std::string> stems, bool copies, WordList copy_words, bool lonely_copies,
                 const WordPairs& patterns, u32 gap) {
  MeteorNextConfig config;
  for (const auto& name : modules) config.modules.push_back(parse(kModules, name));
  for (const auto& [one, other] : patterns)
    if (!one.empty() && !other.empty()) config.patterns.push_back({keys(one), keys(other)});
  if (weights.size() != config.rows()) throw nb::value_error("one weight for each module expected");
  config.weights = std::move(weights);
  std::tie(config.alpha, config.beta, config.gamma, config.delta, config.copy_weight) = parameters;
  config.beam = beam;
  config.characters = characters;
  config.copies = copies;
  config.gap = gap;
  auto& words = config.words;
  words.stems = std::move(stems);
  words.lexicon = std::move(lexicon);
  words.synonyms = own_synonyms ? WordSet::kMeteor : WordSet::kSynsets;
  words.paraphrases = std::move(paraphrases);
  words.function_words = std::move(function_words);
  words.copy_words = std::move(copy_words);
  words.lonely_copies = lonely_copies;
  new (self) MeteorNextKernel(std::move(config));
}

// (hypothesis word, words, reference word, words, module) of each match.
std::vector<Found> align_py(const MeteorNextKernel& self, std::vector<std::string> hyp, std::vector<std::string> ref) {
  const WordPair words(std::move(hyp), std::move(ref));
  MeteorAligner aligner(self.config());
  MeteorAligner::Entries hyp_entries, ref_entries;
  aligner.look_up(words.hyp_words.data(), words.hyp().size, hyp_entries);
  aligner.look_up(words.ref_words.data(), words.ref().size, ref_entries);
  std::vector<Found> found;
  for (const auto& m : aligner.align(hyp_entries, ref_entries))
    found.emplace_back(m.hyp, m.hyp_size, m.ref, m.ref_size, m.module);
  return found;
}

}  // namespace

void bind_meteor_next(nb::module_& m) {
  nb::class_<Paraphrases>(m, "Paraphrases")
      .def(nb::init<>())
      .def("read",
           [](Paraphrases& self, nb::bytes piece) {
             const std::string_view text(piece.c_str(), piece.size());
             const nb::gil_scoped_release unlocked;
             self.read(text);
           },
           "piece"_a)
      .def("finish", &Paraphrases::finish)
      .def_prop_ro("complete", &Paraphrases::complete)
      .def("__len__", &Paraphrases::size);
  nb::class_<MeteorNormaliser>(m, "MeteorNormaliser")
      .def(
          "__init__",
          [](MeteorNormaliser* self, const std::string& apostrophes, bool punctuation,
             const std::unordered_map<std::string, bool>& prefixes) {
            std::unordered_map<std::string, MeteorNormaliser::Prefix> kinds;
            for (const auto& [prefix, always] : prefixes)
              kinds[prefix] = always ? MeteorNormaliser::Prefix::kAlways : MeteorNormaliser::Prefix::kBeforeNumbers;
            new (self) MeteorNormaliser(parse(kApostrophes, apostrophes), punctuation, std::move(kinds));
          },
          nb::kw_only(), "apostrophes"_a, "punctuation"_a, "prefixes"_a)
      .def("__call__",
           [](const MeteorNormaliser& self, nb::str text) {
             const auto bytes = nb::steal<nb::bytes>(PyUnicode_AsEncodedString(text.ptr(), "utf-8", "surrogatepass"));
             if (!bytes.is_valid()) throw nb::python_error();
             const std::string out = self.run({bytes.c_str(), bytes.size()});
             return nb::steal(PyUnicode_DecodeUTF8(out.data(), static_cast<Py_ssize_t>(out.size()), "surrogatepass"));
           },
           "text"_a);
  nb::class_<MeteorNextKernel, Kernel>(m, "MeteorNext")
      .def("__init__", &make_kernel, nb::kw_only(), "modules"_a, "weights"_a, "parameters"_a, "beam"_a, "characters"_a,
           "function_words"_a, "lexicon"_a.none(), "own_synonyms"_a, "paraphrases"_a.none(), "stems"_a, "copies"_a,
           "copy_words"_a, "lonely_copies"_a, "patterns"_a, "gap"_a)
      .def("align", &align_py, "hyp"_a, "ref"_a);
}
