// Which words of two texts are linked: the largest one-to-one subset of a stage's candidates with
// the fewest crossings (Banerjee and Lavie, 2005).
#pragma once

#include <algorithm>
#include <utility>

#include "core/checkpoint.hpp"
#include "core/segment.hpp"

namespace nlg {

constexpr u32 kUnlinked = ~0u;

// What a stage offers for words that are still free. Either it numbers words, and those with the
// same number may be linked, or it lists pairs.
struct Candidates {
  std::vector<u32> hyp_class, ref_class;  // one per word, or empty; 0: none
  u32 classes = 0;                        // largest number
  std::vector<std::pair<u32, u32>> pairs;

  void clear() {
    hyp_class.clear();
    ref_class.clear();
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
    stage.resize(hyp_size);
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
// The search is exact unless it takes more than kMostWork; what it has found by then is kept. Stages
// with more than kMostSlots such words or kMostChoices choices link equal words in their order.
class BestLinks {
 public:
  void run(const Candidates& candidates, u32 stage, LinkedWords& links) {
    links_ = &links;
    stage_ = stage;
    slots_.clear();
    refs_.clear();
    groups_.clear();
    if (!candidates.pairs.empty()) group_pairs(candidates);
    else if (candidates.classes > 0) group_classes(candidates);
    if (!slots_.empty()) search();
  }

 private:
  static constexpr u64 kInside = 1u << 24;  // weight of a crossing inside the stage
  static constexpr u64 kNever = ~0ull;
  static constexpr u32 kMostWork = 1u << 17, kMostSlots = 1u << 10, kMostChoices = 1u << 18;

  // Words that may be linked with each other.
  struct Group {
    u32 slots, skips;  // words of the hypothesis still to come, and how many may stay unlinked
    bool complete;     // every word with every other: then links inside never cross
    u32 size = 0, refs = 0, next = 0;  // of a complete group: words, and which is the next to link
    u32 bounds = 0;                    // of a complete group: where its table starts
  };
  // A hypothesis word with a choice: reference words refs_[first..last), with the cost of each.
  struct Slot {
    u32 hyp, group, first, last;
  };
  // Words with the same number: how many there are, the first of the reference.
  struct Class {
    u32 hyps = 0, refs = 0, first = kUnlinked, group = kUnlinked;
  };
  struct Choice {
    u32 ref;
    u64 cost;
  };
  struct Step {
    u32 ref;   // or kUnlinked
    u32 next;  // reference word of a complete group to go on with
    u64 cost;
    u32 chunks;
    bool operator<(const Step& o) const { return cost != o.cost ? cost < o.cost : chunks < o.chunks; }
  };

  void group_classes(const Candidates& c) {
    classes_.assign(c.classes + 1, {});
    next_ref_.resize(c.ref_class.size());
    for (u32 j = static_cast<u32>(c.ref_class.size()); j-- > 0;) {
      Class& own = classes_[c.ref_class[j]];
      next_ref_[j] = std::exchange(own.first, j);
      ++own.refs;
    }
    for (u32 id : c.hyp_class) ++classes_[id].hyps;
    classes_[0] = {};  // no class
    u64 choices = 0, slots = 0;
    for (const Class& own : classes_) {
      if (own.refs == 0 || own.hyps == own.refs) continue;
      choices += static_cast<u64>(own.hyps) * own.refs;
      slots += own.hyps;
    }
    const bool in_order = choices > kMostChoices || slots > kMostSlots;
    for (u32 i = 0; i < c.hyp_class.size(); ++i) {
      Class& own = classes_[c.hyp_class[i]];
      if (own.first == kUnlinked) continue;
      if (own.hyps == own.refs || in_order) {
        links_->link(i, own.first, stage_);
        own.first = next_ref_[own.first];
        continue;
      }
      if (own.group == kUnlinked) {
        own.group = static_cast<u32>(groups_.size());
        groups_.push_back({own.hyps, own.hyps - std::min(own.hyps, own.refs), true, own.hyps, own.refs});
      }
      const u32 begin = static_cast<u32>(refs_.size());
      for (u32 j = own.first; j != kUnlinked; j = next_ref_[j]) refs_.push_back({j, 0});
      slots_.push_back({i, own.group, begin, static_cast<u32>(refs_.size())});
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
        slots_.push_back({i, 0, first, first});
      }
      refs_.push_back({j, 0});
      ++slots_.back().last;
    }
    partner_.assign(links_->ref.size(), kUnlinked);
    u32 matched = 0;
    for (u32 s = 0; s < slots_.size(); ++s) {
      checkpoint(links_->ref.size());
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
    for (u32 j = 0; j < ref_size; ++j) {
      const u32 i = links_->ref[j];
      below_[j + 1] = below_[j] + (i == kUnlinked ? 0 : weight(i));
    }
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

  // The least cost of a complete group's words from its t-th on, when reference words from the c-th
  // on are left, as far as the links there are tell.
  u64& bound(const Group& g, u32 t, u32 c) { return bounds_[g.bounds + t * (g.refs + 1) + c]; }
  u64 bound_now(const Group& g) { return g.complete ? bound(g, g.size - g.slots, g.next) : 0; }

  void set_bounds() {
    bounds_.clear();
    for (Group& g : groups_) {
      g.bounds = static_cast<u32>(bounds_.size());
      if (g.complete) bounds_.resize(bounds_.size() + (g.size + 1) * (g.refs + 1), kNever);
      for (u32 c = 0; g.complete && c <= g.refs; ++c)
        if (g.size < g.refs || c == g.refs) bound(g, g.size, c) = 0;
    }
    // From the last word of each group back: its own, then those before it.
    left_in_.assign(groups_.size(), 0);
    for (u32 s = static_cast<u32>(slots_.size()); s-- > 0;) {
      const Slot& slot = slots_[s];
      const Group& g = groups_[slot.group];
      if (!g.complete) continue;
      const u32 t = g.size - ++left_in_[slot.group];
      if (g.size > g.refs) bound(g, t, g.refs) = 0;
      for (u32 c = g.refs; c-- > 0;) {
        const u64 after = bound(g, t + 1, c + 1), link = after == kNever ? kNever : after + refs_[slot.first + c].cost;
        bound(g, t, c) = std::min(link, g.size > g.refs ? bound(g, t + 1, c) : bound(g, t, c + 1));
      }
    }
  }

  void search() {
    price();
    set_bounds();
    work_ = 0;
    best_ = {0, 0, kNever, ~0u};
    steps_.clear();
    chosen_.clear();
    solution_.assign(slots_.size(), kUnlinked);
    if (!groups_[0].complete)  // in case the search ends before it finds one
      for (u32 j = 0; j < partner_.size(); ++j)
        if (partner_[j] != kUnlinked) solution_[partner_[j]] = j;
    u64 least = 0;
    for (const Group& g : groups_) least += bound_now(g);
    descend(0, 0, 0, least);
    for (u32 s = 0; s < slots_.size(); ++s)
      if (solution_[s] != kUnlinked) links_->link(slots_[s].hyp, solution_[s], stage_);
  }

  // Chunks that begin at a slot's word or right after it, where the next word has no choice.
  u32 chunk_starts(u32 s) const {
    const u32 i = slots_[s].hyp;
    const bool fixed = i + 1 < links_->hyp.size() && (s + 1 == slots_.size() || slots_[s + 1].hyp != i + 1);
    return links_->starts_chunk(i) + (fixed && links_->starts_chunk(i + 1));
  }

  // From the s-th slot on, with the cost and chunks of those before and the least cost of the rest.
  void descend(u32 s, u64 cost, u32 chunks, u64 least) {
    if (s == slots_.size()) {
      best_ = {0, 0, cost, chunks};
      solution_ = chosen_;
      return;
    }
    const Slot& slot = slots_[s];
    Group& group = groups_[slot.group];
    const std::size_t base = steps_.size();
    const u32 from = group.complete ? slot.first + group.next : slot.first;
    // What the group still needs after this word bounds how far it may reach.
    const u32 to = group.complete ? slot.last - (group.slots - 1 - std::min(group.skips, group.slots - 1)) : slot.last;
    work_ += 1 + (to - from) * (1 + static_cast<u32>(chosen_.size()) / 8);
    checkpoint((to - from) * (8 + chosen_.size()));
    for (u32 c = from; c < to; ++c) {
      const u32 j = refs_[c].ref;
      if (links_->ref[j] != kUnlinked) continue;
      u64 crossings = 0;
      for (u32 ref : chosen_) crossings += ref != kUnlinked && ref > j;
      links_->link(slot.hyp, j, stage_);
      add_step({j, c - slot.first + 1, refs_[c].cost + kInside * crossings, chunk_starts(s)}, base);
      links_->unlink(slot.hyp);
    }
    if (group.skips > 0) add_step({kUnlinked, group.next, 0, chunk_starts(s)}, base);
    const u64 others = least - bound_now(group);
    const Group before = group;
    --group.slots;
    for (std::size_t k = base; k < steps_.size(); ++k) {
      const Step step = steps_[k];
      group.next = step.next;
      const u64 own = bound_now(group);
      if (own == kNever || !(Step{0, 0, cost + step.cost + others + own, chunks + step.chunks} < best_)) continue;
      if (work_ > kMostWork && (best_.cost != kNever || !group.complete)) break;
      if (step.ref != kUnlinked) links_->link(slot.hyp, step.ref, stage_);
      else --group.skips;
      chosen_.push_back(step.ref);
      descend(s + 1, cost + step.cost, chunks + step.chunks, others + own);
      chosen_.pop_back();
      if (step.ref != kUnlinked) links_->unlink(slot.hyp);
      else ++group.skips;
    }
    group = before;
    steps_.resize(base);
  }

  // Keeps steps from `base` on sorted, links before gaps: the first way down should be a good one.
  void add_step(const Step& step, std::size_t base) {
    std::size_t at = steps_.size();
    steps_.push_back(step);
    const auto later = [&](const Step& o) {
      if ((o.ref == kUnlinked) != (step.ref == kUnlinked)) return o.ref == kUnlinked;
      return step < o;
    };
    for (; at > base && later(steps_[at - 1]); --at) steps_[at] = steps_[at - 1];
    steps_[at] = step;
  }

  LinkedWords* links_ = nullptr;
  u32 stage_ = 0, work_ = 0;
  std::vector<Slot> slots_;
  std::vector<Choice> refs_;
  std::vector<Group> groups_;
  std::vector<Class> classes_;
  std::vector<u32> next_ref_, partner_, chosen_, solution_, left_in_;
  std::vector<u8> tried_;
  std::vector<std::pair<u32, u32>> pairs_;
  std::vector<u64> below_, left_, bounds_;
  std::vector<Step> steps_;
  Step best_{};
};

// Every word with the last free one that it may be linked with, from the end of the hypothesis:
// NLTK 3.10.
class LastLinks {
 public:
  void run(const Candidates& c, u32 stage, LinkedWords& links) {
    if (c.pairs.empty()) return link_classes(c, stage, links);
    pairs_ = c.pairs;
    std::sort(pairs_.rbegin(), pairs_.rend());
    for (const auto& [i, j] : pairs_)
      if (links.hyp[i] == kUnlinked && links.ref[j] == kUnlinked) links.link(i, j, stage);
  }

 private:
  void link_classes(const Candidates& c, u32 stage, LinkedWords& links) {
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

  std::vector<u32> last_, before_;
  std::vector<std::pair<u32, u32>> pairs_;
};

}  // namespace nlg
