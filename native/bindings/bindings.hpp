// What the binding files share.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <algorithm>
#include <map>

#include "core/kernel.hpp"
#include "text/lexicon.hpp"
#include "text/stem.hpp"

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

// Refuses places where segments start that do not ascend, or lead out of the texts.
template <class Starts>
void check_references(const Starts& starts, std::size_t segments, std::size_t texts) {
  const auto* const s = starts.data();
  if (starts.size() != segments + 1 || s[0] < 0 || s[segments] > static_cast<std::int64_t>(texts) ||
      !std::is_sorted(s, s + segments + 1))
    throw nb::value_error("ref_starts does not fit the hypotheses and references");
}

// Kernels trust the bytes of a text: a cut character would lead beyond its end.
inline void check_utf8(std::string_view text) {
  const std::size_t valid = nlg::find_invalid_utf8(reinterpret_cast<const nlg::u8*>(text.data()), text.size());
  if (valid < text.size()) throw nb::value_error(("byte " + std::to_string(valid + 1) + " is not valid UTF-8").c_str());
}

// Refuses None among kernels or stages, which Python may put into a list of them.
template <class List>
void check_present(const List& given) {
  for (const auto& each : given)
    if (!each) throw nb::type_error("None is no kernel or stage");
}

extern const Choices<nlg::Tokenizer> kTokenizers;
extern const Choices<nlg::Stemmer> kStemmers;
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
void bind_lstm(nb::module_& m);
void bind_greedy(nb::module_& m);
void bind_linearise(nb::module_& m);
void bind_rouge(nb::module_& m);
void bind_order(nb::module_& m);
void bind_alignment(nb::module_& m);
void bind_lexicon(nb::module_& m);
void bind_meteor_next(nb::module_& m);
void bind_translations(nb::module_& m);
void bind_resampling(nb::module_& m);
