#include <nanobind/stl/string.h>
#include <nanobind/stl/unordered_map.h>
#include <nanobind/stl/unordered_set.h>
#include <nanobind/stl/vector.h>

#include "text/stem.hpp"
#include "bindings/bindings.hpp"

using namespace nlg;

const Choices<Stemmer> kStemmers = {{"none", Stemmer::kNone},
                                    {"porter", Stemmer::kPorter},
                                    {"martin-porter", Stemmer::kMartin},
                                    {"nltk-porter", Stemmer::kNltk},
                                    {"rouge155-porter", Stemmer::kRouge155},
                                    {"snowball", Stemmer::kSnowball}};

namespace {

std::vector<std::string> stem_py(const std::vector<std::string>& words, const std::string& mode) {
  const Stemmer stemmer = parse(kStemmers, mode);
  StemBuffer buffer;
  std::vector<std::string> stems;
  stems.reserve(words.size());
  for (const auto& word : words) {
    checkpoint(64);
    stems.emplace_back(buffer.stem(stemmer, word));
  }
  return stems;
}

}  // namespace

void bind_text(nb::module_& m) {
  m.def("stem", &stem_py, "words"_a, "mode"_a);
  nb::class_<Reading>(m, "Reading")
      .def(
          "__init__",
          [](Reading* self, const std::string& stemmer, u32 shortest,
             std::unordered_map<std::string, std::string> exceptions, std::unordered_set<std::string> stop_words,
             bool lines, u32 max_words, u32 max_bytes, bool restart) {
            const Stemmer parsed = parse(kStemmers, stemmer);
            std::shared_ptr<const WordRules> rules;
            if (parsed != Stemmer::kNone || !stop_words.empty())
              rules = std::make_shared<WordRules>(
                  WordRules{parsed, shortest, std::move(exceptions), std::move(stop_words)});
            new (self) Reading{lines, max_words, max_bytes, restart, std::move(rules)};
          },
          nb::kw_only(), "stemmer"_a, "shortest"_a, "exceptions"_a, "stop_words"_a, "lines"_a, "max_words"_a,
          "max_bytes"_a, "restart"_a);
}
