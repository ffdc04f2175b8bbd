// METEOR 1.5's search for the best set of matches between a hypothesis and a reference. It works
// through the reference from left to right and keeps the best `beam` partial alignments: most words
// covered, then fewest chunks, then shortest distances. What the program does beside its paper is
// kept, and marked.
//
// Time and memory are bounded by |h| · |r| / 64 for each partial alignment: reference words of the same
// spelling share the list of words they match, and an alignment is copied only if it is kept.
#pragma once

#include <algorithm>
#include <cstdlib>

#include "core/checkpoint.hpp"
#include "core/texts.hpp"

namespace nlg {

using i32 = std::int32_t;
using i64 = std::int64_t;

// Words [ref, ref + ref_size) and [hyp, hyp + hyp_size) correspond.
struct PhraseMatch {
  u32 ref, ref_size, hyp, hyp_size, module;
};

// Of 64 words of the hypothesis, those that a word of the reference matches by one module.
struct WordMatches {
  u32 block, module;
  u64 hyps;
};

class BeamSearch {
 public:
  explicit BeamSearch(u32 beam) : beam_(beam) {}

  // `list_of` has, for each reference word, the number of its list of matches; equal words share one.
  void clear(u32 hyp_size, const std::vector<u32>& list_of, u32 lists) {
    hyp_size_ = hyp_size, ref_size_ = static_cast<u32>(list_of.size());
    list_of_ = list_of;
    sharing_.assign(lists, 0);
    for (u32 list : list_of) ++sharing_[list];
    sizes_.assign(lists, 0);
    if (words_.size() < lists) words_.resize(lists);
    for (u32 k = 0; k < lists; ++k) words_[k].clear();
    if (phrases_.size() < ref_size_) phrases_.resize(ref_size_);
    for (u32 j = 0; j < ref_size_; ++j) phrases_[j].clear();
    hyp_cover_.assign(hyp_size, 0);
    ref_cover_.assign(ref_size_, 0);
  }
  // Matches are tried in the order in which they are offered, words before phrases; of one module,
  // words in the order of the hypothesis.
  void offer(u32 list, const WordMatches& m) {
    words_[list].push_back(m);
    for (u64 hyps = m.hyps; hyps != 0; hyps &= hyps - 1, ++sizes_[list])
      cover(hyp_cover_[m.block * 64 + first(hyps)], sharing_[list]);
  }
  // False if the reference word has as many already as are looked at.
  bool offer(const PhraseMatch& m) {
    if (phrases_[m.ref].size() == kMostPhrases) return false;
    phrases_[m.ref].push_back(m);
    for (u32 k = 0; k < m.hyp_size; ++k) cover(hyp_cover_[m.hyp + k], 1);
    for (u32 k = 0; k < m.ref_size; ++k) cover(ref_cover_[m.ref + k], 1);
    return true;
  }

  // The chosen matches in the order of the reference.
  const std::vector<PhraseMatch>& run() {
    hyp_words_ = (hyp_size_ + 63) / 64;
    stride_ = hyp_words_ + (ref_size_ + 63) / 64;
    nodes_.clear();
    fix_certain();
    for (u32 current = 0; current < ref_size_; ++current) advance(current);
    rank(beam_);
    settle();
    for (u32 slot : alive_) paths_[slot].chunks += paths_[slot].last_end >= 0;
    rank(1);
    result_.clear();
    for (u32 node = paths_[alive_[0]].node; node != kNoNode; node = nodes_[node].before)
      result_.push_back(nodes_[node].match);
    for (u32 j = 0; j < ref_size_; ++j)
      if (fixed_[j]) result_.push_back(certain(j));
    std::sort(result_.begin(), result_.end(), [](const auto& a, const auto& b) { return a.ref < b.ref; });
    return result_;
  }

 private:
  static constexpr u32 kNoNode = ~0u;
  static constexpr u32 kGains = 16;
  static constexpr u32 kMostPhrases = 2048;  // paraphrases that one word of the reference may begin

  struct Path {
    u32 words = 0;  // covered; see `take`
    u32 chunks = 0;
    i64 distance = 0;  // the program's overflows with more than 1,800 equal words
    i32 last_end = -1;
    u32 next = 0;  // the reference word after the last match or skipped word
    u32 node = kNoNode;
    u32 bits = 0;        // where its used words are
    bool takes = false;  // a match, which node and used words do not show yet
  };
  struct Node {
    PhraseMatch match;
    u32 before;
  };

  static u32 first(u64 bits) { return static_cast<u32>(__builtin_ctzll(bits)); }
  static void cover(u32& count, u32 more) { count = std::min(2u, count + more); }  // once or more often

  // Matches without any other at their words are part of every alignment.
  void fix_certain() {
    alive_.assign(1, 0);
    free_.clear();
    paths_.assign(1, Path());
    bits_.assign(stride_, 0);
    free_bits_.clear();
    fixed_.assign(ref_size_, 0);
    for (u32 j = 0; j < ref_size_; ++j) {
      const auto& words = words_[list_of_[j]];
      for (const WordMatches& m : words) cover(ref_cover_[j], m.hyps & (m.hyps - 1) ? 2 : 1);
    }
    const auto once = [](const std::vector<u32>& cover, u32 from, u32 size) {
      return std::all_of(cover.begin() + from, cover.begin() + from + size, [](u32 c) { return c == 1; });
    };
    for (u32 j = 0; j < ref_size_; ++j) {
      if (ref_cover_[j] != 1 || words_[list_of_[j]].size() + phrases_[j].size() != 1) continue;
      const PhraseMatch m = certain(j);
      if (!once(ref_cover_, m.ref, m.ref_size) || !once(hyp_cover_, m.hyp, m.hyp_size)) continue;
      fixed_[j] = 1;
      use(bits_.data(), m);
    }
  }
  // The only match that begins at a reference word.
  PhraseMatch certain(u32 j) const {
    const auto& words = words_[list_of_[j]];
    return words.empty() ? phrases_[j][0] : word_match(j, words[0], first(words[0].hyps));
  }
  static PhraseMatch word_match(u32 j, const WordMatches& m, u32 bit) { return {j, 1, m.block * 64 + bit, 1, m.module}; }

  void use(u64* bits, const PhraseMatch& m) const {
    for (u32 k = m.hyp; k < m.hyp + m.hyp_size; ++k) bits[k / 64] |= 1ull << k % 64;
    for (u32 k = m.ref; k < m.ref + m.ref_size; ++k) bits[hyp_words_ + k / 64] |= 1ull << k % 64;
  }
  bool used(const u64* bits, const PhraseMatch& m) const {
    for (u32 k = m.ref; k < m.ref + m.ref_size; ++k)
      if (ref_used(bits, k)) return true;
    for (u32 k = m.hyp; k < m.hyp + m.hyp_size; ++k)
      if (bits[k / 64] >> k % 64 & 1) return true;
    return false;
  }
  bool ref_used(const u64* bits, u32 k) const { return bits[hyp_words_ + k / 64] >> k % 64 & 1; }
  u64* bits(u32 place) { return bits_.data() + static_cast<std::size_t>(place) * stride_; }

  // Missing words, chunks, distance and place among the paths, to be compared in this order.
  static u128 key(const Path& path, u32 place) {
    constexpr u32 kMost = (1u << 24) - 1;
    const u64 distance = std::min<u64>(path.distance, (1ull << 48) - 1);
    const u64 quality = static_cast<u64>(kMost - std::min(path.words, kMost)) << 24 | std::min(path.chunks, kMost);
    return static_cast<u128>(quality << 16 | distance >> 32) << 64 | (distance << 32 | place);
  }
  // The best paths first, in the order of a stable sort; the others make room.
  void rank(u32 wanted) {
    if (alive_.size() == 1) return;
    keys_.resize(alive_.size());
    for (u32 k = 0; k < alive_.size(); ++k) keys_[k] = key(paths_[alive_[k]], k);
    const auto place = [](u128 key) { return static_cast<u32>(key); };
    if (keys_.size() > wanted) {
      std::nth_element(keys_.begin(), keys_.begin() + wanted, keys_.end());
      for (std::size_t k = wanted; k < keys_.size(); ++k) free_.push_back(alive_[place(keys_[k])]);
      keys_.resize(wanted);
    }
    if (!std::is_sorted(keys_.begin(), keys_.end())) std::sort(keys_.begin(), keys_.end());
    else if (keys_.size() == alive_.size()) return;
    next_.clear();
    for (u128 key : keys_) next_.push_back(alive_[place(key)]);
    alive_.swap(next_);
  }
  // Gives the paths that take a match, and are kept, used words and a node of their own.
  void settle() {
    for (u32 slot : alive_) {
      Path& path = paths_[slot];
      if (!path.takes) continue;
      const u32 own = place_of_bits();
      std::copy_n(bits(path.bits), stride_, bits(own));
      use(bits(own), taken_[slot]);
      path.bits = own;
      path.takes = false;
      nodes_.push_back({taken_[slot], path.node});
      path.node = static_cast<u32>(nodes_.size()) - 1;
    }
  }
  // A place that no living path needs.
  u32 place_of_bits() {
    if (free_bits_.empty()) {
      const auto places = static_cast<u32>(bits_.size() / stride_);
      needed_.assign(places, 0);
      for (u32 slot : alive_) needed_[paths_[slot].bits] = 1;
      for (u32 k = 0; k < places; ++k)
        if (!needed_[k]) free_bits_.push_back(k);
      if (free_bits_.size() <= places / 2) {
        bits_.resize((2 * places + 1) * stride_);
        for (u32 k = places; k < 2 * places + 1; ++k) free_bits_.push_back(k);
      }
    }
    const u32 place = free_bits_.back();
    free_bits_.pop_back();
    return place;
  }

  // While it searches, the program counts a match that is not exact with half its words, rounded
  // down each time; with weights of their own they count only in the score.
  static u32 gain(const PhraseMatch& m) {
    const u32 half = m.module != 0;
    return (m.hyp_size >> half) + (m.ref_size >> half);
  }
  static bool continues(const Path& path, const PhraseMatch& m) { return static_cast<i32>(m.hyp) == path.last_end; }
  static void take(Path& path, const PhraseMatch& m) {
    path.words += gain(m);
    path.chunks += path.last_end >= 0 && !continues(path, m);
    path.next = m.ref + m.ref_size;
    path.last_end = static_cast<i32>(m.hyp + m.hyp_size);
  }
  static i64 distance(const PhraseMatch& m) { return std::abs(static_cast<i64>(m.ref) - m.hyp); }

  // Of the steps from one path that cover as many words, and are no continuation, a later one is never
  // better: as many as the beam is wide are enough.
  bool wanted(const Path& path, const PhraseMatch& m) {
    return !many_ || gain(m) >= kGains || continues(path, m) || made_[gain(m)]++ < beam_;
  }
  // The program adds the distance to the path that does not take the match.
  void offer_step(u32 slot, const PhraseMatch& m) {
    if (wanted(paths_[slot], m)) {
      u32 longer;
      if (free_.empty()) {
        longer = static_cast<u32>(paths_.size());
        paths_.emplace_back();
        taken_.resize(paths_.size());
      } else {
        longer = free_.back();
        free_.pop_back();
      }
      paths_[longer] = paths_[slot];
      paths_[longer].distance += passed_;
      paths_[longer].takes = true;
      taken_[longer] = m;
      take(paths_[longer], m);
      next_.push_back(longer);
    }
    passed_ += distance(m);
  }

  void offer_words(u32 slot, u32 current, const WordMatches& m) {
    u64 hyps = m.hyps & ~bits(paths_[slot].bits)[m.block];
    for (; hyps != 0; hyps &= hyps - 1) {
      const PhraseMatch match = word_match(current, m, first(hyps));
      if (many_ && made_[gain(match)] >= beam_) break;
      offer_step(slot, match);
    }
    if (hyps == 0) return;
    // Only a continuation is still of use.
    const i64 next = paths_[slot].last_end - static_cast<i64>(m.block) * 64;
    if (paths_[slot].last_end >= 0 && next >= 0 && next < 64 && hyps >> next & 1) {
      const u64 before = (1ull << next) - 1;
      passed_ += distances(current, m.block, hyps & before);
      offer_step(slot, word_match(current, m, static_cast<u32>(next)));
      hyps &= ~before & ~(1ull << next);
    }
    passed_ += distances(current, m.block, hyps);
  }
  // The sum of the distances between a place and those of a block.
  static i64 distances(u32 current, u32 block, u64 hyps) {
    const i64 at = static_cast<i64>(current) - static_cast<i64>(block) * 64;
    const u64 before = at <= 0 ? 0 : at >= 64 ? ~0ull : (1ull << at) - 1;
    const auto to_left = [&](u64 some) { return at * __builtin_popcountll(some) - sum_of_places(some); };
    return to_left(hyps & before) - to_left(hyps & ~before);
  }
  static i64 sum_of_places(u64 bits) {
    constexpr u64 kHalves[] = {0xAAAAAAAAAAAAAAAA, 0xCCCCCCCCCCCCCCCC, 0xF0F0F0F0F0F0F0F0,
                               0xFF00FF00FF00FF00, 0xFFFF0000FFFF0000, 0xFFFFFFFF00000000};
    i64 sum = 0;
    for (u32 k = 0; k < 6; ++k) sum += static_cast<i64>(__builtin_popcountll(bits & kHalves[k])) << k;
    return sum;
  }

  void offer_all(u32 slot, u32 current) {
    const auto& words = words_[list_of_[current]];
    many_ = sizes_[list_of_[current]] + phrases_[current].size() > beam_;
    if (many_) std::fill(std::begin(made_), std::end(made_), 0);
    passed_ = 0;
    auto word = words.begin();
    for (const PhraseMatch& m : phrases_[current]) {
      for (; word != words.end() && word->module < m.module; ++word) offer_words(slot, current, *word);
      if (!used(bits(paths_[slot].bits), m)) offer_step(slot, m);
    }
    for (; word != words.end(); ++word) offer_words(slot, current, *word);
    paths_[slot].distance += passed_;
  }

  // What becomes of each path at a word of the reference: others that take a match there, and after
  // them the path itself.
  void advance(u32 current) {
    checkpoint(alive_.size() * stride_);
    rank(beam_);
    settle();
    next_.clear();
    for (u32 slot : alive_) {
      if (ref_used(bits(paths_[slot].bits), current)) {
        Path& path = paths_[slot];
        if (current >= path.next) {
          if (!fixed_[path.next]) continue;
          const PhraseMatch m = certain(path.next);
          take(path, m);
          path.distance += distance(m);
        }
      } else {
        offer_all(slot, current);
        Path& path = paths_[slot];
        path.chunks += path.last_end >= 0;
        path.last_end = -1;
        ++path.next;
      }
      next_.push_back(slot);
    }
    if (next_.empty()) next_.push_back(alive_[0]);  // none went on, and none has changed
    alive_.swap(next_);
  }

  u32 beam_;
  u32 hyp_size_ = 0, ref_size_ = 0, hyp_words_ = 0, stride_ = 0;
  std::vector<u32> list_of_;                       // of each reference word
  std::vector<u32> sharing_, sizes_;               // of each list: words that have it, matches
  std::vector<std::vector<WordMatches>> words_;   // by list
  std::vector<std::vector<PhraseMatch>> phrases_;  // by first word of the reference
  std::vector<u32> hyp_cover_, ref_cover_;        // whether a word is part of no match, one, or more
  std::vector<u8> fixed_;
  std::vector<Path> paths_;
  std::vector<PhraseMatch> taken_;        // by paths that `takes`
  std::vector<u32> alive_, next_, free_;  // places of paths: the current ones in order, and empty ones
  std::vector<u64> bits_;                 // used words of both texts, `stride_` numbers for each place
  std::vector<u32> free_bits_;
  std::vector<u8> needed_;
  bool many_ = false;   // whether the current word has more matches than the beam is wide
  i64 passed_ = 0;      // distances of the matches that the current path has not taken
  u32 made_[kGains];                    // steps from the current path, by words covered
  std::vector<u128> keys_;
  std::vector<Node> nodes_;
  std::vector<PhraseMatch> result_;
};

}  // namespace nlg
