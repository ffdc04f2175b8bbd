// What the binding files share.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <map>

#include "../kernel.hpp"
#include "../lexicon.hpp"

namespace nb = nanobind;
using namespace nb::literals;

// The names under which Python knows the values of an enumeration.
template <class T>
using Choices = std::map<std::string, T>;

template <class T>
T parse(const Choices<T>& choices, const std::string& name) {
  const auto found = choices.find(name);
  if (found == choices.end()) throw nb::value_error(("unknown name " + name).c_str());
  return found->second;
}

extern const Choices<nlg::Tokenizer> kTokenizers;
extern const Choices<nlg::WordSet> kWordSets;

// One function per family of kernels, in a file of its own.
void bind_ngram(nb::module_& m);
void bind_frequency(nb::module_& m);
void bind_similarity(nb::module_& m);
void bind_character(nb::module_& m);
void bind_edit(nb::module_& m);
void bind_grounded(nb::module_& m);
void bind_ter(nb::module_& m);
void bind_terp(nb::module_& m);
void bind_scripts(nb::module_& m);
void bind_text(nb::module_& m);
void bind_trees(nb::module_& m);
void bind_phrases(nb::module_& m);
void bind_embedding(nb::module_& m);
void bind_transport(nb::module_& m);
void bind_cky(nb::module_& m);
void bind_vectors(nb::module_& m);
void bind_encoder(nb::module_& m);
void bind_greedy(nb::module_& m);
void bind_rouge(nb::module_& m);
void bind_order(nb::module_& m);
void bind_alignment(nb::module_& m);
void bind_lexicon(nb::module_& m);
void bind_meteor_next(nb::module_& m);
void bind_translations(nb::module_& m);
