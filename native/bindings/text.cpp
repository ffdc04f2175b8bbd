#include <nanobind/stl/vector.h>

#include "../stem.hpp"
#include "bindings.hpp"

using namespace nlg;

namespace {

const Choices<Stemmer> kStemmers = {{"porter", Stemmer::kPorter},
                                    {"martin-porter", Stemmer::kMartin},
                                    {"nltk-porter", Stemmer::kNltk},
                                    {"rouge155-porter", Stemmer::kRouge155}};

std::vector<std::string> stem_py(const std::vector<std::string>& words, const std::string& mode) {
  const Stemmer stemmer = parse(kStemmers, mode);
  StemBuffer buffer;
  std::vector<std::string> stems;
  stems.reserve(words.size());
  for (const auto& word : words) stems.emplace_back(buffer.stem(stemmer, word));
  return stems;
}

}  // namespace

void bind_text(nb::module_& m) { m.def("stem", &stem_py, "words"_a, "mode"_a); }
