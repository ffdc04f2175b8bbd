#include "edit/terp.hpp"

#include <nanobind/stl/array.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unordered_set.h>
#include <nanobind/stl/vector.h>

#include "bindings/bindings.hpp"

using namespace nlg;

namespace {

using Move = std::tuple<int, int, int>;                 // start, length, before which word
using Step = std::tuple<const char*, u32, u32>;         // edit, words of h, words of r
using Costs = std::array<double, 6>;                    // insertion, deletion, substitution, stem, synonym, shift

const char* name(TerpEdit edit) {
  switch (edit) {
    case TerpEdit::kMatch: return "match";
    case TerpEdit::kInsert: return "insert";
    case TerpEdit::kDelete: return "delete";
    case TerpEdit::kSubstitute: return "substitute";
    case TerpEdit::kStem: return "stem";
    case TerpEdit::kSynonym: return "synonym";
    default: return "phrase";
  }
}

std::pair<std::vector<Move>, std::vector<Step>> script(const TerpKernel& kernel, const std::vector<std::string>& hyp,
                                                       const std::vector<std::string>& ref) {
  TerpSearch search(kernel.options());
  search.search({hyp.begin(), hyp.end()}, {ref.begin(), ref.end()});
  std::vector<Move> moves;
  for (const auto& [start, end, after] : search.moves()) {
    const int inside = std::min(end + (after - start) + 1, static_cast<int>(hyp.size()));
    moves.emplace_back(start, end - start + 1, after >= start && after <= end ? inside : after + 1);
  }
  std::vector<Step> steps;
  for (const TerpStep& step : search.steps()) steps.emplace_back(name(step.edit), step.hyp, step.ref);
  return {moves, steps};
}

}  // namespace

void bind_terp(nb::module_& m) {
  nb::class_<TerpPhrases>(m, "TerpPhrases")
      .def(nb::init<>())
      .def(
          "add",
          [](TerpPhrases& self, const std::vector<std::string>& ref, const std::vector<std::string>& hyp, double p) {
            if (ref.empty() || hyp.empty() || !(p > 0)) throw nb::value_error("words and a probability are needed");
            self.add(ref, hyp, p);
          },
          "ref"_a, "hyp"_a, "probability"_a)
      .def("__len__", &TerpPhrases::size);
  nb::class_<TerpKernel, Kernel>(m, "Terp")
      .def(
          "__init__",
          [](TerpKernel* self, const Costs& costs, const std::array<double, 4>& adjustment, double beam, int shift_size,
             int shift_distance, bool relaxed, bool stems, std::shared_ptr<const Lexicon> synonyms,
             std::shared_ptr<TerpPhrases> phrases, std::unordered_set<std::string> stop_words) {
            TerpOptions options;
            options.costs = {costs[0], costs[1], costs[2], costs[3], costs[4], costs[5]};
            std::copy(adjustment.begin(), adjustment.end(), options.adjustment);
            options.beam = beam;
            options.shift_size = shift_size;
            options.shift_distance = shift_distance;
            options.relaxed = relaxed;
            options.lexicon = {stems, std::move(synonyms), std::move(phrases), std::move(stop_words)};
            new (self) TerpKernel(std::move(options));
          },
          nb::kw_only(), "costs"_a, "adjustment"_a, "beam"_a, "shift_size"_a, "shift_distance"_a, "relaxed"_a, "stems"_a,
          "synonyms"_a.none(), "phrases"_a.none(), "stop_words"_a)
      .def("script", &script, "hyp"_a, "ref"_a);
}
