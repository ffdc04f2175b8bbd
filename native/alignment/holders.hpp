// Which of up to 64 words have a number, such as that of a synset.
#pragma once

#include "core/texts.hpp"

namespace nlg {

class Holders {
 public:
  void clear() {
    if (++round_ == 0) slots_.assign(slots_.size(), Slot()), round_ = 1;
    used_ = 0;
  }
  void add(u32 number, u32 word) {
    if (2 * ++used_ > slots_.size()) grow();
    Slot& slot = slots_[place(number)];
    if (slot.round != round_) slot = {number, round_, 0};
    slot.holders |= 1ull << word;
  }
  u64 find(u32 number) const {
    const Slot& slot = slots_[place(number)];
    return slot.round == round_ ? slot.holders : 0;
  }

 private:
  struct Slot {
    u32 number;
    u32 round = 0;  // a slot of an earlier round is empty
    u64 holders;
  };

  std::size_t place(u32 number) const {
    std::size_t at = number * 0x9E3779B1u >> 10 & (slots_.size() - 1);
    while (slots_[at].round == round_ && slots_[at].number != number) at = (at + 1) & (slots_.size() - 1);
    return at;
  }
  void grow() {
    const std::vector<Slot> old = std::move(slots_);
    slots_.assign(2 * old.size(), Slot());
    for (const Slot& slot : old)
      if (slot.round == round_) slots_[place(slot.number)] = slot;
  }

  std::vector<Slot> slots_ = std::vector<Slot>(1u << 10);
  u32 round_ = 0, used_ = 0;
};

}  // namespace nlg
