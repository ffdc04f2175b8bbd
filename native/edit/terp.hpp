// TERp, translation edit rate plus (Snover et al., 2009), exactly as its tool (terp.v1) searches: tercom's
// shifts, where stems, synonyms and phrases count as equal, and edits with costs of their own.
// Columns: cost of the edits, mean reference length; insertions, deletions, substitutions, stems,
// synonyms, phrases, shifts and shifted words of the reference with the lowest cost.
#pragma once

#include <cmath>

#include "core/kernel.hpp"
#include "edit/terp_distance.hpp"

namespace nlg {

struct TerpOptions {
  TerpCosts costs;
  double beam = 35;
  int shift_size = 10, shift_distance = 50;
  bool relaxed = true;        // stems, synonyms and phrases are moved, too
  double adjustment[4] = {};  // of a phrase's cost: 1, log10(p) · edits, p · edits, edits
  TerpLexicon lexicon;
};

struct TerpResult {
  double cost = 0;
  double counts[8] = {};  // as the columns
};

class TerpSearch {
 public:
  struct Shift {
    int start, end, after;  // words [start, end] go behind `after`
    bool operator<(const Shift& o) const {
      return start != o.start ? start < o.start : end != o.end ? end < o.end : after < o.after;
    }
    bool operator==(const Shift& o) const { return start == o.start && end == o.end && after == o.after; }
  };
  using Words = std::vector<std::string_view>;

  explicit TerpSearch(const TerpOptions& options, bool phrases = true)
      : options_(options), vocabulary_(options.lexicon), phrases_(phrases && options.lexicon.phrases) {}

  TerpResult search(const Words& hyp, const Words& ref) {
    TerpResult result;
    moves_.clear();
    steps_.clear();
    number(hyp, ref);
    words_ = pair_.hyp;
    if (hyp.empty() || ref.empty()) {
      steps_.insert(steps_.end(), hyp.size(), {TerpEdit::kInsert, 1, 0});
      steps_.insert(steps_.end(), ref.size(), {TerpEdit::kDelete, 0, 1});
      for (const TerpStep& step : steps_)
        result.cost += step.hyp ? options_.costs.insertion : options_.costs.deletion;
    } else {
      result.cost = shift_words();
    }
    for (const TerpStep& step : steps_)
      if (step.edit != TerpEdit::kMatch) ++result.counts[static_cast<int>(step.edit) - 1];
    result.counts[6] = static_cast<double>(moves_.size());
    for (const Shift& shift : moves_) result.counts[7] += shift.end - shift.start + 1;
    return result;
  }
  // Of the last search: the shifts, and the steps after them.
  const std::vector<Shift>& moves() const { return moves_; }
  const std::vector<TerpStep>& steps() const { return steps_; }
  // To be called between segments.
  void trim() {
    vocabulary_.trim();
    if (phrase_costs_.size() > (1u << 20)) phrase_costs_.clear();
  }

 private:
  // Effort, in cells of distances, after which no further shift is tried, and shifts listed in one
  // round; the tool has no such limits, and sentences do not reach them.
  static constexpr u64 kCells = 150'000'000;
  static constexpr std::size_t kListed = 2'000'000;

  int nh() const { return static_cast<int>(words_.size()); }
  int nr() const { return static_cast<int>(pair_.ref.size()); }

  double shift_words() {
    const u64 last_cell = distance_.cells() + kCells;
    double shifting = 0, cost = distance_.trace(pair_, words_, options_.costs, options_.beam, steps_);
    while (distance_.cells() < last_cell) {
      read_alignment();
      find_candidates();
      Shift best{};
      if (!best_candidate(cost, last_cell, best)) break;
      shifting += options_.costs.shift;
      moves_.push_back(best);
      apply(best, words_, shifted_);
      words_.swap(shifted_);
      cost = distance_.trace(pair_, words_, options_.costs, options_.beam, steps_);
    }
    return cost + shifting;
  }

  // Numbers the words, and finds out which are stems or synonyms of each other.
  void number(const Words& hyp, const Words& ref) {
    find_phrases(hyp, ref);
    types_.clear();
    round_ = vocabulary_.next_round();
    const auto numbered = [&](const Words& words, std::vector<u32>& out) {
      out.clear();
      for (std::string_view word : words) out.push_back(number_of(word));
    };
    numbered(ref, pair_.ref);
    pair_.ref_words = static_cast<u32>(types_.size());
    numbered(hyp, pair_.hyp);
    const u32 all = static_cast<u32>(types_.size());
    relate(all);
    pair_.phrases.clear();
    if (found_.empty()) return;
    pair_.phrases.resize(ref.size());
    for (const Found& found : found_) {
      TerpPhrase phrase{found.size, {}, found.cost};
      for (u32 word : found.entry->hyp) phrase.hyp.push_back(number_of(options_.lexicon.phrases->text(word)));
      pair_.phrases[found.place].push_back(std::move(phrase));
    }
  }
  u32 number_of(std::string_view word) {
    TerpWord& entry = vocabulary_[word];
    if (entry.round != round_) {
      entry.round = round_;
      entry.number = static_cast<u32>(types_.size());
      types_.push_back(&entry);
    }
    return entry.number;
  }

  void relate(u32 all) {
    by_stem_.clear();
    by_synset_.clear();
    for (u32 r = 0; r < pair_.ref_words; ++r) {
      if (options_.lexicon.stems) by_stem_[types_[r]->stem].push_back(r);
      for (u32 synset : types_[r]->synsets) by_synset_[synset].push_back(r);
    }
    pair_.related.assign(all, {});
    std::vector<u8> how(pair_.ref_words, 0);
    std::vector<u32> touched;
    const auto add = [&](u32 r, u8 bit) {
      if (how[r] == 0) touched.push_back(r);
      how[r] |= bit;
    };
    for (u32 word = 0; word < all; ++word) {
      if (word < pair_.ref_words) add(word, TerpPair::kEqual);
      if (options_.lexicon.stems)
        if (const auto same = by_stem_.find(types_[word]->stem); same != by_stem_.end())
          for (u32 r : same->second) add(r, TerpPair::kStem);
      for (u32 synset : types_[word]->synsets)
        if (const auto same = by_synset_.find(synset); same != by_synset_.end())
          for (u32 r : same->second) add(r, TerpPair::kSynonym);
      std::sort(touched.begin(), touched.end());
      for (u32 r : touched) pair_.related[word].push_back({r, how[r]}), how[r] = 0;
      touched.clear();
    }
  }

  // Phrases of the table that the reference has, if the hypothesis has all words of what stands for them.
  void find_phrases(const Words& hyp, const Words& ref) {
    found_.clear();
    if (!phrases_) return;
    std::unordered_set<u32> in_hyp;
    for (std::string_view word : hyp) in_hyp.insert(vocabulary_[word].in_table);
    std::vector<u32> numbers;
    for (std::string_view word : ref) numbers.push_back(vocabulary_[word].in_table);
    for (std::size_t i = 0; i < ref.size(); ++i)
      options_.lexicon.phrases->each(numbers, i, [&](std::size_t size, const std::vector<TerpPhrases::Entry>& entries) {
        for (const auto& entry : entries)
          if (std::all_of(entry.hyp.begin(), entry.hyp.end(), [&](u32 word) { return in_hyp.count(word) > 0; }))
            found_.push_back({i, static_cast<u32>(size), &entry, phrase_cost(entry, ref, i, size)});
      });
  }
  // By how many edits, at their costs, the phrases differ.
  double phrase_cost(const TerpPhrases::Entry& entry, const Words& ref, std::size_t first, std::size_t size) {
    const auto [at, added] = phrase_costs_.try_emplace(entry.number, 0.0);
    if (!added) return at->second;
    if (!inner_) inner_ = std::make_unique<TerpSearch>(options_, false);
    Words hyp_words;
    for (u32 word : entry.hyp) hyp_words.emplace_back(options_.lexicon.phrases->text(word));
    const Words ref_words(ref.begin() + static_cast<std::ptrdiff_t>(first),
                          ref.begin() + static_cast<std::ptrdiff_t>(first + size));
    const double edits = inner_->search(hyp_words, ref_words).cost, p = entry.probability;
    const double* const a = options_.adjustment;
    const double cost = a[0] + a[1] * (std::log(p) / std::log(10.0)) * edits + a[2] * p * edits + a[3] * edits;
    return at->second = std::max(cost, 0.0);
  }

  void read_alignment() {
    ref_at_.clear();
    hyp_at_.clear();
    hyp_wrong_.assign(1, 0);
    ref_wrong_.assign(1, 0);
    int h = -1, r = -1;
    for (const TerpStep& step : steps_) {
      const int wrong = step.edit != TerpEdit::kMatch;
      const bool both = step.hyp > 0 && step.ref > 0;
      // The words of a phrase are aligned to the first of the other side.
      const int to_r = both ? r + 1 : r, to_h = both ? h + 1 : h;
      for (u32 k = 0; k < step.hyp; ++k) ++h, hyp_at_.push_back(to_r), hyp_wrong_.push_back(hyp_wrong_.back() + wrong);
      for (u32 k = 0; k < step.ref; ++k) ++r, ref_at_.push_back(to_h), ref_wrong_.push_back(ref_wrong_.back() + wrong);
    }
    hyp_content_.assign(1, 0);
    ref_content_.assign(1, 0);
    for (u32 word : words_) hyp_content_.push_back(hyp_content_.back() + !types_[word]->stop);
    for (u32 word : pair_.ref) ref_content_.push_back(ref_content_.back() + !types_[word]->stop);
  }

  bool same(int h, int r) const {
    const u8 how = pair_.how(words_[h], pair_.ref[r]);
    return options_.relaxed ? how != 0 : (how & TerpPair::kEqual) != 0;
  }

  // Blocks to be moved, by the longer of their two lengths, in the order in which the tool tries them.
  void find_candidates() {
    candidates_.resize(static_cast<std::size_t>(options_.shift_size) + 1);
    for (auto& list : candidates_) list.clear();
    listed_ = 0;
    if (options_.shift_size <= 0 || options_.shift_distance <= 0) return;
    places_.resize(pair_.ref_words);
    for (auto& list : places_) list.clear();
    for (int r = 0; r < nr(); ++r) places_[pair_.ref[r]].push_back(r);
    for (int h = 0; h < nh() && listed_ < kListed; ++h) {
      // Places of the reference whose words are aligned near enough.
      const auto near = [&](int at) { return std::lower_bound(ref_at_.begin(), ref_at_.end(), at) - ref_at_.begin(); };
      const int first = static_cast<int>(near(h - options_.shift_distance));
      const int last = static_cast<int>(near(h + options_.shift_distance + 1));
      for (const auto& [word, how] : pair_.related[words_[h]]) {
        const auto& places = places_[word];
        for (auto at = std::lower_bound(places.begin(), places.end(), first); at != places.end() && *at < last; ++at)
          grow_block(h, *at, 0, 0);
      }
      if (options_.relaxed && !pair_.phrases.empty())
        for (int r = first; r < last; ++r)
          if (!pair_.phrases[r].empty() && !same(h, r)) grow_block(h, r, 0, 0);
      checkpoint(64);
    }
    for (auto& list : candidates_) tidy(list);
  }

  static void tidy(std::vector<Shift>& list) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
  }

  // All blocks that start at these places and go on after so many words.
  void grow_block(int h, int r, int h_size, int r_size) {
    for (; h_size < options_.shift_size && listed_ < kListed; ++h_size, ++r_size) {
      const int h_last = h + h_size, r_last = r + r_size;
      if (h_last >= nh() || r_last >= nr()) return;
      if (options_.relaxed && !pair_.phrases.empty() && phrase_seen(h_last, r_last))
        for (const TerpPhrase& phrase : pair_.phrases[r_last])
          if (TerpPair::follows(phrase, words_, static_cast<std::size_t>(h_last)))
            grow_block(h, r, h_size + static_cast<int>(phrase.hyp.size()), r_size + static_cast<int>(phrase.ref));
      if (!same(h_last, r_last)) return;
      if (hyp_wrong_[h_last + 1] == hyp_wrong_[h] || ref_wrong_[r_last + 1] == ref_wrong_[r]) continue;
      if (hyp_content_[h_last + 1] == hyp_content_[h] || ref_content_[r_last + 1] == ref_content_[r]) continue;
      if (ref_at_[r] >= h && ref_at_[r] <= h_last) continue;
      add_targets(h, h_last, r, r_last);
    }
  }
  // The tool looks for phrases no farther than its shifts reach.
  bool phrase_seen(int h, int r) const {
    const int first = hyp_at_[std::max(h - options_.shift_distance, 0)];
    const int last = hyp_at_[std::min(h + options_.shift_distance, nh() - 1)];
    return r >= first && r <= last;
  }

  void add_targets(int h, int h_last, int r, int r_last) {
    const int size = std::max(h_last - h, r_last - r);
    auto& list = candidates_[std::min<std::size_t>(size, candidates_.size() - 1)];
    for (int at = r - 1; at <= r + h_last - h && at < nr(); ++at) {
      if (at < 0) list.push_back({h, h_last, -1});
      else if (ref_at_[at] != h && (at == r || ref_at_[at] != ref_at_[r])) list.push_back({h, h_last, ref_at_[at]});
      else continue;
      ++listed_;
    }
    if (list.size() > kListed / 4) tidy(list);
  }

  // The first shift that does not cost more than it saves, then every one that saves more, until what
  // is saved cannot be exceeded by blocks of the length reached.
  bool best_candidate(double cost, u64 last_cell, Shift& best) {
    bool found = false;
    double best_cost = cost, shift_cost = 0;
    for (std::size_t length = candidates_.size(); length-- > 0;) {
      const double most = 2.0 * static_cast<double>(length + 1);
      for (const Shift& shift : candidates_[length]) {
        const double saved = cost - (shift_cost + best_cost);
        if (saved > most || (shift_cost != 0 && saved == most)) return found;
        if (distance_.cells() >= last_cell) return found;
        apply(shift, words_, shifted_);
        const double shifted = distance_.distance(pair_, shifted_, options_.costs, options_.beam);
        const double gain = (best_cost + shift_cost) - (shifted + options_.costs.shift);
        if (gain > 0 || (shift_cost == 0 && gain == 0)) {
          found = true;
          best = shift;
          best_cost = shifted;
          shift_cost = options_.costs.shift;
        }
      }
    }
    return found;
  }

  // A block told to land inside itself moves right by as many words.
  static void apply(const Shift& s, const std::vector<u32>& from, std::vector<u32>& to) {
    to.resize(from.size());
    auto out = to.begin();
    const int n = static_cast<int>(from.size());
    const auto copy = [&](int first, int last) {
      for (int i = first; i < std::min(last, n); ++i) *out++ = from[i];
    };
    if (s.after < s.start) {
      copy(0, s.after + 1), copy(s.start, s.end + 1), copy(s.after + 1, s.start), copy(s.end + 1, n);
    } else {
      const int stop = s.after > s.end ? s.after + 1 : s.end + (s.after - s.start) + 1;
      copy(0, s.start), copy(s.end + 1, stop), copy(s.start, s.end + 1), copy(stop, n);
    }
  }

  struct Found {
    std::size_t place;
    u32 size;
    const TerpPhrases::Entry* entry;
    double cost;
  };

  const TerpOptions& options_;
  TerpVocabulary vocabulary_;
  bool phrases_;
  u64 round_ = 0;
  TerpPair pair_;
  TerpDistance distance_;
  std::unique_ptr<TerpSearch> inner_;  // without phrases
  std::vector<TerpWord*> types_;
  std::unordered_map<u32, std::vector<u32>> by_stem_, by_synset_;
  std::vector<Found> found_;
  std::unordered_map<u32, double> phrase_costs_;
  std::vector<u32> words_, shifted_;
  std::vector<TerpStep> steps_;
  std::vector<Shift> moves_;
  std::vector<int> ref_at_, hyp_at_, hyp_wrong_, ref_wrong_, hyp_content_, ref_content_;
  std::vector<std::vector<int>> places_;
  std::vector<std::vector<Shift>> candidates_;
  std::size_t listed_ = 0;
};

class TerpWorker final : public Worker {
 public:
  explicit TerpWorker(const TerpOptions& options) : search_(options) {}
  void row(const Segment& s, double* out) override {
    search_.trim();
    std::fill_n(out, 10, 0);
    double length = 0;
    read(s.hyp_words(), s.hyp().size, hyp_);
    for (u32 r = 0; r < s.ref_count(); ++r) {
      read(s.ref_words(r), s.ref(r).size, ref_);
      const TerpResult found = search_.search(hyp_, ref_);
      length += s.ref(r).size;
      if (r > 0 && found.cost >= out[0]) continue;
      out[0] = found.cost;
      std::copy_n(found.counts, 8, out + 2);
    }
    out[1] = s.ref_count() ? length / s.ref_count() : 0;
  }

 private:
  static void read(const Word* words, u32 size, TerpSearch::Words& out) {
    out.clear();
    for (u32 i = 0; i < size; ++i) out.emplace_back(words[i].data, words[i].size);
  }
  TerpSearch search_;
  TerpSearch::Words hyp_, ref_;
};

class TerpKernel final : public Kernel {
 public:
  explicit TerpKernel(TerpOptions options) : options_(std::move(options)) {}
  std::size_t columns() const override { return 10; }
  std::unique_ptr<Worker> worker() const override { return std::make_unique<TerpWorker>(options_); }
  const TerpOptions& options() const { return options_; }

 private:
  TerpOptions options_;
};

}  // namespace nlg
