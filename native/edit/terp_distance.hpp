// TERp's edit distance (terp.v1, 2009): edits have costs of their own, stems and synonyms may match,
// and phrases may stand for phrases.
#pragma once

#include "core/checkpoint.hpp"
#include "edit/edit.hpp"
#include "edit/terp_words.hpp"

namespace nlg {

struct TerpCosts {
  double insertion = 1, deletion = 1, substitution = 1, stem = 1, synonym = 1, shift = 1;
};

enum class TerpEdit : u8 { kMatch, kInsert, kDelete, kSubstitute, kStem, kSynonym, kPhrase };

struct TerpStep {
  TerpEdit edit;
  u32 hyp, ref;  // words that it takes
};

// What may stand for the words of a reference from one place on.
struct TerpPhrase {
  u32 ref;               // words of the reference
  std::vector<u32> hyp;  // words of the hypothesis, by number
  double cost;
};

// A pair of texts, its words numbered: those of the reference first.
struct TerpPair {
  static constexpr u8 kEqual = 1, kStem = 2, kSynonym = 4;
  struct Related {
    u32 ref;  // word of the reference
    u8 how;
  };

  std::vector<u32> hyp, ref;
  u32 ref_words = 0;                          // how many are different
  std::vector<std::vector<Related>> related;  // of each word
  std::vector<std::vector<TerpPhrase>> phrases;  // by place in the reference; empty without a table

  u8 how(u32 hyp_word, u32 ref_word) const {
    const auto& list = related[hyp_word];
    const auto at = std::lower_bound(list.begin(), list.end(), ref_word,
                                     [](const Related& r, u32 word) { return r.ref < word; });
    return at != list.end() && at->ref == ref_word ? at->how : 0;
  }
  static bool follows(const TerpPhrase& phrase, const std::vector<u32>& words, std::size_t place) {
    return phrase.hyp.size() <= words.size() - place &&
           std::equal(phrase.hyp.begin(), phrase.hyp.end(), words.begin() + static_cast<std::ptrdiff_t>(place));
  }
};

// Columns over the hypothesis, each cell handed on to its successors, of which the first of equally
// cheap ones is kept. Cells more than `beam` above the cheapest pair of words into their column are
// not continued, nor those of rows that the column before did not reach: also phrases that lead there
// end there, as in the tool.
class TerpDistance {
 public:
  double distance(const TerpPair& pair, const std::vector<u32>& hyp, const TerpCosts& costs, double beam) {
    return run(pair, hyp, costs, beam, false);
  }
  double trace(const TerpPair& pair, const std::vector<u32>& hyp, const TerpCosts& costs, double beam,
               std::vector<TerpStep>& steps) {
    const double cost = run(pair, hyp, costs, beam, true);
    steps.clear();
    for (std::size_t j = hyp.size(), i = pair.ref.size(); i > 0 || j > 0;) {
      const TerpStep step = kept_[offset_[j] + i - first_[j]];
      steps.push_back(step);
      i -= step.ref;
      j -= step.hyp;
    }
    std::reverse(steps.begin(), steps.end());
    return cost;
  }
  u64 cells() const { return cells_; }  // handed on since the start

 private:
  static constexpr double kNone = -1, kInfinity = 999999;
  struct Cell {
    double cost = kNone;
    TerpStep step{};
  };
  struct Column {
    std::vector<Cell> cells;
    std::size_t low = 1, high = 0;  // what was reached
    void reach(std::size_t i, double cost, TerpStep step) {
      Cell& cell = cells[i];
      if (cell.cost >= 0 && cell.cost <= cost) return;
      cell = {cost, step};
      if (low > high) low = high = i;
      else low = std::min(low, i), high = std::max(high, i);
    }
    void clear() {
      for (std::size_t i = low; i <= high; ++i) cells[i] = {};
      low = 1, high = 0;
    }
  };

  double run(const TerpPair& pair, const std::vector<u32>& hyp, const TerpCosts& costs, double beam, bool keep) {
    const std::size_t nh = hyp.size(), nr = pair.ref.size();
    std::size_t ring = 2;
    for (const auto& list : pair.phrases)
      for (const TerpPhrase& phrase : list) ring = std::max(ring, phrase.hyp.size() + 1);
    columns_.resize(std::max(columns_.size(), ring));
    for (Column& column : columns_) {
      column.clear();
      if (column.cells.size() <= nr) column.cells.resize(nr + 1);
    }
    how_.assign(pair.ref_words, 0);
    kept_.clear();
    first_.assign(nh + 1, 0);
    offset_.assign(nh + 1, 0);
    columns_[0].reach(0, 0, {});
    double best = kInfinity;  // pair of words into the column
    std::ptrdiff_t next_first = 0, next_last = 0;
    for (std::size_t j = 0; j <= nh; ++j) {
      Column& here = columns_[j % ring];
      Column& next = columns_[(j + 1) % ring];
      const double limit = best + beam;
      best = kInfinity;
      const std::ptrdiff_t first = next_first;
      std::ptrdiff_t last = next_last;
      next_first = next_last = -1;
      if (first < 0) return run(pair, hyp, costs, kInfinity, keep);  // the tool fails here
      if (j < nh) mark(pair.related[hyp[j]], true);
      for (auto i = static_cast<std::size_t>(first); i <= nr; ++i) {
        if (j < nh && static_cast<std::ptrdiff_t>(i) > last) break;
        const double cost = here.cells[i].cost;
        if (cost < 0 || (j < nh && cost > limit)) continue;
        if (next_first < 0) next_first = static_cast<std::ptrdiff_t>(i);
        next_last = static_cast<std::ptrdiff_t>(i) + 1;
        ++cells_;
        if (i < nr && j < nh) pair_words(how_[pair.ref[i]], cost, costs, next, i + 1, best);
        if (!pair.phrases.empty() && i < nr)
          for (const TerpPhrase& phrase : pair.phrases[i])
            if (TerpPair::follows(phrase, hyp, j))
              columns_[(j + phrase.hyp.size()) % ring].reach(
                  i + phrase.ref, cost + phrase.cost,
                  {TerpEdit::kPhrase, static_cast<u32>(phrase.hyp.size()), phrase.ref});
        if (j < nh) next.reach(i, cost + costs.insertion, {TerpEdit::kInsert, 1, 0});
        if (i < nr) {
          const double before = here.cells[i + 1].cost;
          here.reach(i + 1, cost + costs.deletion, {TerpEdit::kDelete, 0, 1});
          if (here.cells[i + 1].cost != before && static_cast<std::ptrdiff_t>(i) >= last)
            last = static_cast<std::ptrdiff_t>(i) + 1;
        }
      }
      if (j < nh) mark(pair.related[hyp[j]], false);
      if (keep) keep_column(here, j);
      if (j == nh) return here.cells[nr].cost >= 0 ? here.cells[nr].cost : run(pair, hyp, costs, kInfinity, keep);
      here.clear();
      checkpoint(static_cast<u64>(std::max<std::ptrdiff_t>(last - first, 0)) + 16);
    }
    return 0;
  }

  void mark(const std::vector<TerpPair::Related>& related, bool set) {
    for (const auto& [ref, how] : related) how_[ref] = set ? how : 0;
  }

  // A match, or else what is cheapest of a substitution, a stem and a synonym.
  static void pair_words(u8 how, double cost, const TerpCosts& costs, Column& next, std::size_t i, double& best) {
    const auto reach = [&](double more, TerpEdit edit) {
      const double before = next.cells[i].cost, sum = cost + more;
      if (before < 0 || sum < before) {
        next.reach(i, sum, {edit, 1, 1});
        best = std::min(best, sum);
      }
    };
    if (how & TerpPair::kEqual) {
      next.reach(i, cost, {TerpEdit::kMatch, 1, 1});
      best = std::min(best, cost);
      return;
    }
    reach(costs.substitution, TerpEdit::kSubstitute);
    if (how & TerpPair::kStem) reach(costs.stem, TerpEdit::kStem);
    if (how & TerpPair::kSynonym) reach(costs.synonym, TerpEdit::kSynonym);
  }

  void keep_column(const Column& column, std::size_t j) {
    first_[j] = column.low;
    offset_[j] = kept_.size();
    for (std::size_t i = column.low; i <= column.high; ++i) kept_.push_back(column.cells[i].step);
  }

  u64 cells_ = 0;
  std::vector<Column> columns_;  // as a ring
  std::vector<u8> how_;          // by word of the reference, to the hypothesis word of the column
  std::vector<TerpStep> kept_;
  std::vector<std::size_t> first_, offset_;
};

}  // namespace nlg
