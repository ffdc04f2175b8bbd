// How one text becomes another, for showing it: edit scripts, TER's shifts, common subsequences.
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <unordered_map>

#include "alignment/alignment.hpp"
#include "edit/recognition.hpp"
#include "edit/ter.hpp"
#include "bindings/bindings.hpp"

using namespace nlg;

namespace {

using Step = std::tuple<const char*, u32, u32>;  // edit, place in h, place in r
using Places = std::vector<std::pair<u32, u32>>;
using Move = std::tuple<int, int, int>;  // start, length, target

// Words of the reference are numbered from 1; others of the hypothesis are 0.
struct Numbered {
  std::vector<u32> hyp, ref;
  u32 vocabulary = 0;

  Numbered(const Texts& hyp_words, const Texts& ref_words) {
    std::unordered_map<std::string_view, u32> ids;
    for (std::size_t j = 0; j < ref_words.size(); ++j)
      ref.push_back(ids.emplace(ref_words[j], static_cast<u32>(ids.size()) + 1).first->second);
    for (std::size_t i = 0; i < hyp_words.size(); ++i) {
      const auto found = ids.find(hyp_words[i]);
      hyp.push_back(found == ids.end() ? 0 : found->second);
    }
    vocabulary = static_cast<u32>(ids.size());
  }
  Ids hyp_ids() const { return {hyp.data(), static_cast<u32>(hyp.size())}; }
  Ids ref_ids() const { return {ref.data(), static_cast<u32>(ref.size())}; }
};

std::vector<Edit> cheapest(const Numbered& texts, int substitution, int gap) {
  std::vector<Edit> edits;
  WeightedAlignment(substitution, gap).align(texts.hyp_ids(), texts.ref_ids(), [&](Edit edit, u32, u32) {
    edits.push_back(edit);
  });
  std::reverse(edits.begin(), edits.end());
  return edits;
}

// A word only the hypothesis has is inserted, one only the reference has is deleted.
std::vector<Step> steps(const std::vector<Edit>& edits) {
  std::vector<Step> result;
  u32 i = 0, j = 0;
  for (Edit edit : edits) {
    const char* name = edit == Edit::kMatch        ? "match"
                       : edit == Edit::kSubstitute ? "substitute"
                       : edit == Edit::kDelete     ? "insert"
                                                   : "delete";
    result.emplace_back(name, i, j);
    i += edit != Edit::kInsert;
    j += edit != Edit::kDelete;
  }
  return result;
}

std::vector<Step> edit_script(const Texts& hyp, const Texts& ref) { return steps(cheapest({hyp, ref}, 1, 1)); }

std::vector<Step> recognition_script(const Texts& hyp, const Texts& ref) {
  const Numbered texts(hyp, ref);
  std::vector<Edit> edits;
  RecognitionAlignment().align(texts.hyp_ids(), texts.ref_ids(), texts.vocabulary,
                               [&](Edit edit) { edits.push_back(edit); });
  return steps(edits);
}

Places common_subsequence(const Texts& hyp, const Texts& ref) {
  Places places;
  for (const auto& [edit, i, j] : steps(cheapest({hyp, ref}, 2, 1)))
    if (std::string_view(edit) == "match") places.emplace_back(i, j);
  return places;
}

std::pair<std::vector<Move>, std::vector<Step>> ter_script(const Texts& hyp, const Texts& ref, int shift_size,
                                                           int shift_distance, int candidates) {
  const Numbered texts(hyp, ref);
  if (hyp.size() == 0 || ref.size() == 0) return {{}, steps(cheapest(texts, 1, 1))};
  TerSearch search({shift_size, shift_distance, candidates});
  search.edits(texts.hyp_ids(), texts.ref_ids(), texts.vocabulary);
  std::vector<Move> moves;
  for (const auto& [start, length, target] : search.shifts()) {
    const bool counts_from_start = target >= start && target <= start + length;
    const int before = counts_from_start ? std::min<int>(target + length, static_cast<int>(hyp.size())) : target;
    moves.emplace_back(start, length, before);
  }
  return {moves, steps(search.script())};
}

}  // namespace

void bind_scripts(nb::module_& m) {
  m.def("edit_script", &edit_script, "hyp_words"_a, "ref_words"_a);
  m.def("recognition_script", &recognition_script, "hyp_words"_a, "ref_words"_a);
  m.def("common_subsequence", &common_subsequence, "hyp_words"_a, "ref_words"_a);
  m.def("ter_script", &ter_script, "hyp_words"_a, "ref_words"_a, nb::kw_only(), "shift_size"_a, "shift_distance"_a,
        "candidates"_a);
}
