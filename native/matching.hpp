// Which words of two texts are linked: the largest one-to-one subset of a stage's candidates with
// the fewest crossings (Banerjee and Lavie, 2005).
#pragma once

#include <algorithm>
#include <numeric>

#include "segment.hpp"

namespace nlg {

constexpr u32 kUnlinked = ~0u;

// What a stage offers for words that are still free. Either it numbers words, and those with the
// same number may be linked, or it lists pairs.
struct Candidates {
  std::vector<u32> hyp_class, ref_class;  // one per word; 0: none
  u32 classes = 0;                        // largest number
  std::vector<std::pair<u32, u32>> pairs;

  void clear(u32 hyp_size, u32 ref_size) {
    hyp_class.assign(hyp_size, 0);
    ref_class.assign(ref_size, 0);
    classes = 0;
    pairs.clear();
  }
};

// Links of a pair of texts: for each hypothesis word its reference word, and the other way round.
struct LinkedWords {
  std::vector<u32> hyp, ref;
  std::vector<u32> stage;  // of each hypothesis word's link

  void clear(u32 hyp_size, u32 ref_size) {
    hyp.assign(hyp_size, kUnlinked);
    ref.assign(ref_size, kUnlinked);
    stage.assign(hyp_size, 0);
  }
  void link(u32 i, u32 j, u32 at) { hyp[i] = j, ref[j] = i, stage[i] = at; }
  void unlink(u32 i) { ref[hyp[i]] = kUnlinked, hyp[i] = kUnlinked; }
  // Whether word i is linked and does not continue the chunk of the word before it.
  bool starts_chunk(u32 i) const {
    return hyp[i] != kUnlinked && (i == 0 || hyp[i - 1] == kUnlinked || hyp[i - 1] + 1 != hyp[i]);
  }
  u32 chunks() const {
    u32 count = 0;
    for (u32 i = 0; i < hyp.size(); ++i) count += starts_chunk(i);
    return count;
  }
};

// Links one stage's words. Only words with a choice are searched for, depth first and with bounds;
// crossings inside the stage count most, then those with links of stages before, then chunks.
// The search is exact up to kMostNodes steps; what it has found by then is kept. Stages with more
// than kMostSlots such words or kMostChoices choices link equal words in their order.
class BestLinks {
 public:
  void run(const Candidates& candidates, u32 stage, LinkedWords& links) {
    links_ = &links;
    stage_ = stage;
    slots_.clear();
    refs_.clear();
    groups_.clear();
    if (candidates.pairs.empty()) group_classes(candidates);
    else group_pairs(candidates);
    if (!slots_.empty()) search();
  }

 private:
  static constexpr u64 kInside = 1u << 24;  // weight of a crossing inside the stage
  static constexpr u32 kMostNodes = 1u << 14, kMostSlots = 1u << 11, kMostChoices = 1u << 20;

  // Words that may be linked with each other.
  struct Group {
    u32 slots, skips;    // words of the hypothesis still to come, and how many may stay unlinked
    bool complete;       // every word with every other: then links inside never cross
    u32 last = kUnlinked;  // reference word linked last
  };
  // A hypothesis word with a choice: reference words refs_[first..last), with the cost of each.
  struct Slot {
    u32 hyp, group, first, last;
    u64 bound;  // least cost of all slots from here on
  };
  struct Choice {
    u32 ref;
    u64 cost;
  };
  struct Step {
    u32 ref;  // or kUnlinked
    u64 cost;
    u32 chunks;
    bool operator<(const Step& o) const { return cost != o.cost ? cost < o.cost : chunks < o.chunks; }
  };

  void group_classes(const Candidates& c) {
    hyp_count_.assign(c.classes + 1, 0);
    ref_count_.assign(c.classes + 1, 0);
    for (u32 id : c.hyp_class) ++hyp_count_[id];
    for (u32 id : c.ref_class) ++ref_count_[id];
    // Reference words by class, in order.
    starts_.assign(c.classes + 2, 0);
    for (u32 id = 1; id <= c.classes; ++id) starts_[id + 1] = starts_[id] + ref_count_[id];
    by_class_.resize(starts_[c.classes + 1]);
    next_ = starts_;
    for (u32 j = 0; j < c.ref_class.size(); ++j)
      if (c.ref_class[j] != 0) by_class_[next_[c.ref_class[j]]++] = j;
    next_ = starts_;
    u64 choices = 0, slots = 0;
    for (u32 id = 1; id <= c.classes; ++id) {
      if (ref_count_[id] == 0 || hyp_count_[id] == ref_count_[id]) continue;
      choices += static_cast<u64>(hyp_count_[id]) * ref_count_[id];
      slots += hyp_count_[id];
    }
    const bool in_order = choices > kMostChoices || slots > kMostSlots;
    group_of_.assign(c.classes + 1, kUnlinked);
    for (u32 i = 0; i < c.hyp_class.size(); ++i) {
      const u32 id = c.hyp_class[i];
      if (id == 0 || ref_count_[id] == 0) continue;
      if (hyp_count_[id] == ref_count_[id] || in_order) {
        if (next_[id] < starts_[id + 1]) links_->link(i, by_class_[next_[id]++], stage_);
        continue;
      }
      if (group_of_[id] == kUnlinked) {
        group_of_[id] = static_cast<u32>(groups_.size());
        const u32 most = std::min(hyp_count_[id], ref_count_[id]);
        groups_.push_back({hyp_count_[id], hyp_count_[id] - most, true});
      }
      const u32 first = static_cast<u32>(refs_.size());
      for (u32 k = starts_[id]; k < starts_[id + 1]; ++k) refs_.push_back({by_class_[k], 0});
      slots_.push_back({i, group_of_[id], first, static_cast<u32>(refs_.size()), 0});
    }
  }

  // All pairs are one group: how many of its words stay unlinked, the largest matching tells. Words
  // beyond the limits are left out.
  void group_pairs(const Candidates& c) {
    pairs_ = c.pairs;
    std::sort(pairs_.begin(), pairs_.end());
    pairs_.erase(std::unique(pairs_.begin(), pairs_.end()), pairs_.end());
    for (const auto& [i, j] : pairs_) {
      if (slots_.empty() || slots_.back().hyp != i) {
        if (slots_.size() == kMostSlots || refs_.size() > kMostChoices) break;
        const u32 first = static_cast<u32>(refs_.size());
        slots_.push_back({i, 0, first, first, 0});
      }
      refs_.push_back({j, 0});
      ++slots_.back().last;
    }
    partner_.assign(links_->ref.size(), kUnlinked);
    u32 matched = 0;
    for (u32 s = 0; s < slots_.size(); ++s) {
      tried_.assign(links_->ref.size(), 0);
      matched += augment(s);
    }
    const u32 count = static_cast<u32>(slots_.size());
    groups_.push_back({count, count - matched, false});
  }
  bool augment(u32 s) {
    for (u32 k = slots_[s].first; k < slots_[s].last; ++k) {
      const u32 j = refs_[k].ref;
      if (tried_[j]) continue;
      tried_[j] = 1;
      if (partner_[j] != kUnlinked && !augment(partner_[j])) continue;
      partner_[j] = s;
      return true;
    }
    return false;
  }

  // Crossings of each choice with the links there are, by counting links to the left.
  void price() {
    const u32 ref_size = static_cast<u32>(links_->ref.size());
    below_.assign(ref_size + 1, 0);  // weight of links to reference words before j
    for (u32 j = 0; j < ref_size; ++j) below_[j + 1] = below_[j] + (links_->ref[j] == kUnlinked ? 0 : weight(links_->ref[j]));
    left_.assign(ref_size + 1, 0);  // Fenwick tree over the links of hypothesis words passed
    u64 passed = 0;
    u32 at = 0;
    for (Slot& slot : slots_) {
      for (; at < slot.hyp; ++at) {
        if (links_->hyp[at] == kUnlinked) continue;
        passed += weight(at);
        for (u32 k = links_->hyp[at] + 1; k <= ref_size; k += k & (0 - k)) left_[k] += weight(at);
      }
      for (u32 c = slot.first; c < slot.last; ++c) {
        u64 both = 0;
        for (u32 k = refs_[c].ref; k > 0; k &= k - 1) both += left_[k];
        refs_[c].cost = passed + below_[refs_[c].ref] - 2 * both;
      }
    }
  }
  u64 weight(u32 i) const { return links_->stage[i] == stage_ ? kInside : 1; }

  void search() {
    price();
    u64 bound = 0;
    for (u32 s = static_cast<u32>(slots_.size()); s-- > 0;) {
      Slot& slot = slots_[s];
      u64 least = ~0ull;
      for (u32 c = slot.first; c < slot.last; ++c) least = std::min(least, refs_[c].cost);
      slot.bound = bound += groups_[slot.group].skips > 0 ? 0 : least;
    }
    nodes_ = 0;
    best_ = {0, ~0ull, ~0u};
    steps_.clear();
    chosen_.clear();
    solution_.assign(slots_.size(), kUnlinked);
    if (!groups_[0].complete)  // in case the search ends before it finds one
      for (u32 j = 0; j < partner_.size(); ++j)
        if (partner_[j] != kUnlinked) solution_[partner_[j]] = j;
    descend(0, 0, 0);
    for (u32 s = 0; s < slots_.size(); ++s)
      if (solution_[s] != kUnlinked) links_->link(slots_[s].hyp, solution_[s], stage_);
  }

  // Chunks that begin at a slot's word or right after it, where the next word has no choice.
  u32 chunk_starts(u32 s) const {
    const u32 i = slots_[s].hyp;
    const bool fixed = i + 1 < links_->hyp.size() && (s + 1 == slots_.size() || slots_[s + 1].hyp != i + 1);
    return links_->starts_chunk(i) + (fixed && links_->starts_chunk(i + 1));
  }

  void descend(u32 s, u64 cost, u32 chunks) {
    if (s == slots_.size()) {
      if (Step{0, cost, chunks} < best_) {
        best_ = {0, cost, chunks};
        solution_ = chosen_;
      }
      return;
    }
    const Slot& slot = slots_[s];
    Group& group = groups_[slot.group];
    const std::size_t base = steps_.size();
    const u32 needed = group.slots - 1 - std::min(group.skips, group.slots - 1);  // links to come after this one
    for (u32 c = slot.first; c < slot.last; ++c) {
      const u32 j = refs_[c].ref;
      if (links_->ref[j] != kUnlinked) continue;
      if (group.complete && ((group.last != kUnlinked && j <= group.last) || slot.last - c - 1 < needed)) continue;
      u64 crossings = 0;
      for (u32 ref : chosen_) crossings += ref != kUnlinked && ref > j;
      links_->link(slot.hyp, j, stage_);
      steps_.push_back({j, refs_[c].cost + kInside * crossings, chunk_starts(s)});
      links_->unlink(slot.hyp);
    }
    if (group.skips > 0) steps_.push_back({kUnlinked, 0, chunk_starts(s)});
    std::stable_sort(steps_.begin() + base, steps_.end(), [](const Step& a, const Step& b) {
      // Links before gaps: the first way down the tree should be a good one.
      if ((a.ref == kUnlinked) != (b.ref == kUnlinked)) return b.ref == kUnlinked;
      return a < b;
    });
    --group.slots;
    const u64 rest = s + 1 < slots_.size() ? slots_[s + 1].bound : 0;
    for (std::size_t k = base; k < steps_.size(); ++k) {
      const Step step = steps_[k];
      if (!(Step{0, cost + step.cost + rest, chunks + step.chunks} < best_)) continue;
      if (++nodes_ > kMostNodes && (best_.cost != ~0ull || !group.complete)) break;
      const u32 last = group.last;
      if (step.ref != kUnlinked) links_->link(slot.hyp, step.ref, stage_), group.last = step.ref;
      else --group.skips;
      chosen_.push_back(step.ref);
      descend(s + 1, cost + step.cost, chunks + step.chunks);
      chosen_.pop_back();
      if (step.ref != kUnlinked) links_->unlink(slot.hyp), group.last = last;
      else ++group.skips;
    }
    ++group.slots;
    steps_.resize(base);
  }

  LinkedWords* links_ = nullptr;
  u32 stage_ = 0, nodes_ = 0;
  std::vector<Slot> slots_;
  std::vector<Choice> refs_;
  std::vector<Group> groups_;
  std::vector<u32> hyp_count_, ref_count_, starts_, next_, by_class_, group_of_, partner_, chosen_, solution_;
  std::vector<u8> tried_;
  std::vector<std::pair<u32, u32>> pairs_;
  std::vector<u64> below_, left_;
  std::vector<Step> steps_;
  Step best_{};
};

// Every word with the last free one of its class, from the end of the hypothesis: NLTK 3.10.
class LastLinks {
 public:
  void run(const Candidates& c, u32 stage, LinkedWords& links) {
    last_.assign(c.classes + 1, kUnlinked);
    before_.resize(c.ref_class.size());
    for (u32 j = 0; j < c.ref_class.size(); ++j) before_[j] = std::exchange(last_[c.ref_class[j]], j);
    for (u32 i = static_cast<u32>(c.hyp_class.size()); i-- > 0;) {
      const u32 id = c.hyp_class[i], j = last_[id];
      if (id == 0 || j == kUnlinked) continue;
      links.link(i, j, stage);
      last_[id] = before_[j];
    }
  }

 private:
  std::vector<u32> last_, before_;
};

}  // namespace nlg
