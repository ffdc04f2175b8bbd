// METEOR-NEXT, METEOR 1.5 and METEOR++ (Denkowski and Lavie, 2010-2014; Guo et al., 2018; Guo and Hu,
// 2019): weighted matches of words and phrases, with content, function and copy words.
//
// Columns, for the best reference, with one number for each class of words where it says "classes":
// classes of h, classes of r; for each module its matches in classes of h and classes of r; chunks,
// 0 for a complete match in one; matched words of h and of r.
#pragma once

#include <cmath>

#include "alignment/holders.hpp"
#include "core/kernel.hpp"
#include "alignment/meteor_words.hpp"

namespace nlg {

// The fixed words of a syntactic paraphrase, in their order; others may stand between them.
struct Pattern {
  std::vector<u32> one, other;  // keys of words
};

struct MeteorNextConfig {
  MeteorWords words;
  std::vector<Module> modules;
  std::vector<double> weights;  // of the modules, and of patterns
  u32 beam = 40;
  bool characters = false;      // lengths and matches count characters
  bool copies = false;          // the third class of words exists
  std::vector<Pattern> patterns;
  u32 gap = 4;
  double alpha, beta, gamma, delta, copy_weight = 1;

  u32 classes() const { return copies ? 3 : 2; }
  u32 rows() const { return static_cast<u32>(modules.size()) + !patterns.empty(); }
};

// Finds the matches of one pair of texts.
class MeteorAligner {
 public:
  using Entry = MeteorVocabulary::Entry;
  using Entries = std::vector<const Entry*>;

  explicit MeteorAligner(const MeteorNextConfig& config)
      : config_(config), vocabulary_(config.words), search_(config.beam) {}

  void trim() { vocabulary_.trim(); }
  void look_up(const Word* words, u32 size, Entries& out) {
    out.resize(size);
    for (u32 k = 0; k < size; ++k) out[k] = &vocabulary_[words[k]];
  }

  const std::vector<PhraseMatch>& align(const Entries& hyp, const Entries& ref) {
    number_words(ref);
    search_.clear(static_cast<u32>(hyp.size()), list_of_, static_cast<u32>(distinct_.size()));
    // Of equal texts only equal words are linked, as in the program.
    const bool equal = std::equal(hyp.begin(), hyp.end(), ref.begin(), ref.end(),
                                  [](const Entry* a, const Entry* b) { return a->key == b->key; });
    for (u32 k = 0; k < config_.modules.size() && !(equal && k > 0); ++k) {
      switch (config_.modules[k]) {
        case Module::kExact: offer_words(hyp, k, [](const Entry& e) { return Ids{&e.key, 1}; }); break;
        case Module::kStem: offer_words(hyp, k, [](const Entry& e) { return Ids{&e.stem, 1}; }); break;
        case Module::kSynonym:
          offer_words(hyp, k, [](const Entry& e) {
            return Ids{e.synsets.data(), static_cast<u32>(e.synsets.size())};
          });
          break;
        case Module::kParaphrase:
          if (config_.words.paraphrases) offer_phrases(hyp, ref, k);
      }
    }
    const auto& found = search_.run();
    if (config_.patterns.empty()) return found;
    matches_.assign(found.begin(), found.end());
    match_patterns(hyp, ref);
    return matches_;
  }
  // How many pieces a match that is not in one takes; chunks beyond those between matches.
  u32 pattern_chunks() const { return pattern_chunks_; }

 private:
  // Equal words of the reference match the same words.
  void number_words(const Entries& ref) {
    list_.resize(vocabulary_.size(), 0);
    distinct_.clear();
    list_of_.clear();
    for (const Entry* word : ref) {
      u32& list = list_[word->number];
      if (list == 0) distinct_.push_back(word), list = static_cast<u32>(distinct_.size());
      list_of_.push_back(list - 1);
    }
    for (const Entry* word : distinct_) list_[word->number] = 0;
  }

  // Copy words correspond to themselves only.
  static bool differ(const Entry& a, const Entry& b) {
    return a.key != b.key && a.kind != WordClass::kCopy && b.kind != WordClass::kCopy;
  }
  // Words match that have a number in common; beyond the exact ones, if they are not the same.
  template <class F>
  void offer_words(const Entries& hyp, u32 module, F&& numbers) {
    const bool exact = config_.modules[module] == Module::kExact;
    for (u32 start = 0; start < hyp.size(); start += 64) {
      const u32 end = std::min<u32>(start + 64, static_cast<u32>(hyp.size()));
      holders_.clear();
      for (u32 i = start; i < end; ++i)
        for (u32 number : numbers(*hyp[i])) holders_.add(number, i - start);
      for (u32 list = 0; list < distinct_.size(); ++list) {
        u64 found = 0;
        for (u32 number : numbers(*distinct_[list])) found |= holders_.find(number);
        for (u64 left = exact ? 0 : found; left != 0; left &= left - 1) {
          const auto bit = static_cast<u32>(__builtin_ctzll(left));
          if (!differ(*hyp[start + bit], *distinct_[list])) found &= ~(1ull << bit);
        }
        if (found != 0) search_.offer(list, {start / 64, module, found});
      }
    }
  }

  // Where phrases of the table stand in a text: by place and length, and by phrase.
  struct Spans {
    struct At {
      u32 phrase, start, size;
      bool operator<(const At& o) const { return phrase != o.phrase ? phrase < o.phrase : start < o.start; }
    };
    std::vector<At> in_order, by_phrase;
    std::vector<u32> words;
    std::vector<Paraphrases::Candidate> candidates;
    u64 marks[128];

    void read(const Entries& text, const Paraphrases& table) {
      in_order.clear();
      std::fill(std::begin(marks), std::end(marks), 0);
      const auto n = static_cast<u32>(text.size());
      words.resize(n);
      for (u32 i = 0; i < n; ++i) words[i] = text[i]->kind == WordClass::kCopy ? Paraphrases::kNone : text[i]->phrase_word;
      table.each_phrase(words, candidates, [&](u32 phrase, u32 start, u32 size) {
        in_order.push_back({phrase, start, size});
        mark(phrase);
      });
      by_phrase = in_order;
      std::sort(by_phrase.begin(), by_phrase.end());
    }
    static u32 place(u32 phrase) { return phrase * 0x9E3779B1u >> 19; }
    void mark(u32 phrase) { marks[place(phrase) / 64] |= 1ull << place(phrase) % 64; }
    bool may_have(u32 phrase) const { return marks[place(phrase) / 64] >> place(phrase) % 64 & 1; }
    template <class F>
    void each(u32 phrase, F&& on_span) const {
      auto at = std::lower_bound(by_phrase.begin(), by_phrase.end(), At{phrase, 0, 0});
      for (; at != by_phrase.end() && at->phrase == phrase; ++at) on_span(*at);
    }
  };

  void offer_phrases(const Entries& hyp, const Entries& ref, u32 module) {
    const Paraphrases& table = *config_.words.paraphrases;
    hyp_spans_.read(hyp, table);
    ref_spans_.read(ref, table);
    const auto pairs = [&](const Spans& from, const Spans& to, auto&& offer) {
      for (const auto& span : from.in_order) {
        for (u32 other : table.of(span.phrase))
          if (to.may_have(other)) to.each(other, [&](const Spans::At& at) { offer(span, at); });
      }
    };
    pairs(ref_spans_, hyp_spans_, [&](const auto& r, const auto& h) {
      search_.offer({r.start, r.size, h.start, h.size, module});
    });
    pairs(hyp_spans_, ref_spans_, [&](const auto& h, const auto& r) {
      search_.offer({r.start, r.size, h.start, h.size, module});
    });
  }

  // Patterns take words that nothing else has matched, the first place that fits in each text.
  void match_patterns(const Entries& hyp, const Entries& ref) {
    pattern_chunks_ = 0;
    free_hyp_.assign(hyp.size(), 1);
    free_ref_.assign(ref.size(), 1);
    for (const auto& m : matches_) {
      std::fill_n(free_hyp_.begin() + m.hyp, m.hyp_size, 0);
      std::fill_n(free_ref_.begin() + m.ref, m.ref_size, 0);
    }
    for (const auto& pattern : config_.patterns) {
      while (match_pattern(hyp, pattern.one, ref, pattern.other)) {}
      while (match_pattern(hyp, pattern.other, ref, pattern.one)) {}
    }
  }
  bool match_pattern(const Entries& hyp, const std::vector<u32>& of_hyp, const Entries& ref, const std::vector<u32>& of_ref) {
    if (!place(hyp, free_hyp_, of_hyp, hyp_places_) || !place(ref, free_ref_, of_ref, ref_places_)) return false;
    for (u32 i : hyp_places_) free_hyp_[i] = 0;
    for (u32 j : ref_places_) free_ref_[j] = 0;
    const auto module = static_cast<u32>(config_.modules.size());
    const std::size_t size = std::max(hyp_places_.size(), ref_places_.size());
    for (std::size_t k = 0; k < size; ++k) {  // a word on one side alone has size 0 on the other
      const bool in_hyp = k < hyp_places_.size(), in_ref = k < ref_places_.size();
      matches_.push_back({in_ref ? ref_places_[k] : ref_places_.back(), in_ref, in_hyp ? hyp_places_[k] : hyp_places_.back(),
                          in_hyp, module});
    }
    pattern_chunks_ += std::max(pieces(hyp_places_), pieces(ref_places_));
    return true;
  }
  static u32 pieces(const std::vector<u32>& places) {
    u32 count = 1;
    for (std::size_t k = 1; k < places.size(); ++k) count += places[k] != places[k - 1] + 1;
    return count;
  }
  bool place(const Entries& text, const std::vector<u8>& free, const std::vector<u32>& keys, std::vector<u32>& out) const {
    for (u32 start = 0; start < text.size(); ++start) {
      out.clear();
      if (place_from(text, free, keys, start, start + 1, out)) return true;
    }
    return false;
  }
  bool place_from(const Entries& text, const std::vector<u8>& free, const std::vector<u32>& keys, u32 from, u32 to,
                  std::vector<u32>& out) const {
    if (out.size() == keys.size()) return true;
    for (u32 i = from; i < std::min<std::size_t>(to, text.size()); ++i) {
      if (!free[i] || text[i]->key != keys[out.size()]) continue;
      out.push_back(i);
      if (place_from(text, free, keys, i + 1, i + 2 + config_.gap, out)) return true;
      out.pop_back();
    }
    return false;
  }

  const MeteorNextConfig& config_;
  MeteorVocabulary vocabulary_;
  BeamSearch search_;
  Entries distinct_;
  std::vector<u32> list_, list_of_;  // of each word of the vocabulary, from 1; of each reference word
  Spans hyp_spans_, ref_spans_;
  Holders holders_;
  std::vector<PhraseMatch> matches_;
  std::vector<u8> free_hyp_, free_ref_;
  std::vector<u32> hyp_places_, ref_places_;
  u32 pattern_chunks_ = 0;
};

class MeteorNextWorker final : public Worker {
 public:
  MeteorNextWorker(const MeteorNextConfig& config, std::size_t columns)
      : config_(config), aligner_(config), stats_(columns) {}

  void row(const Segment& s, double* out) override {
    aligner_.trim();
    aligner_.look_up(s.hyp_words(), s.hyp().size, hyp_);
    std::fill_n(out, stats_.size(), 0.0);
    double best = -1;
    for (u32 r = 0; r < s.ref_count(); ++r) {
      aligner_.look_up(s.ref_words(r), s.ref(r).size, ref_);
      count();
      const double value = score();
      if (value <= best) continue;
      best = value;
      std::copy(stats_.begin(), stats_.end(), out);
    }
  }

 private:
  using Entries = MeteorAligner::Entries;

  double size(const MeteorAligner::Entry& word) const { return config_.characters ? word.length : 1; }

  void count() {
    const u32 classes = config_.classes();
    std::fill(stats_.begin(), stats_.end(), 0.0);
    for (const auto* word : hyp_) stats_[static_cast<u32>(word->kind)] += size(*word);
    for (const auto* word : ref_) stats_[classes + static_cast<u32>(word->kind)] += size(*word);
    double* const last = stats_.data() + stats_.size() - 3;  // chunks, words of h, words of r
    double hyp_matched = 0, ref_matched = 0;
    u32 hyp_end = 0, ref_end = 0;
    for (const auto& m : aligner_.align(hyp_, ref_)) {
      double* const of_hyp = stats_.data() + 2 * classes * (1 + m.module);
      for (u32 k = m.hyp; k < m.hyp + m.hyp_size; ++k) {
        of_hyp[static_cast<u32>(hyp_[k]->kind)] += size(*hyp_[k]);
        hyp_matched += size(*hyp_[k]);
      }
      for (u32 k = m.ref; k < m.ref + m.ref_size; ++k) {
        of_hyp[classes + static_cast<u32>(ref_[k]->kind)] += size(*ref_[k]);
        ref_matched += size(*ref_[k]);
      }
      last[1] += m.hyp_size;
      last[2] += m.ref_size;
      if (m.module == config_.modules.size()) continue;  // patterns bring their own chunks
      if (last[0] == 0 || m.hyp != hyp_end || m.ref != ref_end) ++last[0];
      hyp_end = m.hyp + m.hyp_size, ref_end = m.ref + m.ref_size;
    }
    if (!config_.patterns.empty()) last[0] += aligner_.pattern_chunks();
    double hyp_length = 0, ref_length = 0;
    for (u32 c = 0; c < classes; ++c) hyp_length += stats_[c], ref_length += stats_[classes + c];
    if (hyp_matched == hyp_length && ref_matched == ref_length && last[0] == 1) last[0] = 0;
  }

  double score() const {
    const u32 classes = config_.classes();
    const double of_class[] = {config_.delta, 1 - config_.delta, config_.copy_weight};
    double length[2] = {}, matched[2] = {};
    for (u32 side = 0; side < 2; ++side)
      for (u32 c = 0; c < classes; ++c) {
        length[side] += of_class[c] * stats_[side * classes + c];
        for (u32 k = 0; k < config_.rows(); ++k)
          matched[side] += of_class[c] * config_.weights[k] * stats_[(2 * (1 + k) + side) * classes + c];
      }
    if (matched[0] <= 0 || matched[1] <= 0) return 0;
    const double precision = matched[0] / length[0], recall = matched[1] / length[1];
    const double mean = 1 / ((1 - config_.alpha) / precision + config_.alpha / recall);
    const double* const last = stats_.data() + stats_.size() - 3;
    const double penalty = config_.gamma * std::pow(last[0] / ((last[1] + last[2]) / 2), config_.beta);
    return std::max(mean * (1 - penalty), 0.0);
  }

  const MeteorNextConfig& config_;
  MeteorAligner aligner_;
  std::vector<double> stats_;
  Entries hyp_, ref_;
};

class MeteorNextKernel final : public Kernel {
 public:
  explicit MeteorNextKernel(MeteorNextConfig config) : config_(std::move(config)) {}
  std::size_t columns() const override { return 2 * config_.classes() * (1 + config_.rows()) + 3; }
  std::unique_ptr<Worker> worker() const override { return std::make_unique<MeteorNextWorker>(config_, columns()); }
  const MeteorNextConfig& config() const { return config_; }

 private:
  MeteorNextConfig config_;
};

}  // namespace nlg
