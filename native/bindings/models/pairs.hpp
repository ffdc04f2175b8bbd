// Two lists of Python words as the kernels see a segment's, for alignments of one pair of texts.
#pragma once

#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "bindings/bindings.hpp"

class WordPair {
 public:
  WordPair(std::vector<std::string> hyp, std::vector<std::string> ref) : hyp_(std::move(hyp)), ref_(std::move(ref)) {
    interner_.reset(static_cast<nlg::u32>(ref_.size()));
    for (auto& word : ref_) ref_ids_.push_back(interner_.add(ref_words.emplace_back(make(word))));
    for (auto& word : hyp_) hyp_ids_.push_back(interner_.find(hyp_words.emplace_back(make(word))));
  }
  nlg::Ids hyp() const { return {hyp_ids_.data(), static_cast<nlg::u32>(hyp_ids_.size())}; }
  nlg::Ids ref() const { return {ref_ids_.data(), static_cast<nlg::u32>(ref_ids_.size())}; }
  nlg::u32 vocabulary() const { return interner_.size(); }

  std::vector<nlg::Word> hyp_words, ref_words;

 private:
  static nlg::Word make(std::string& word) {
    const auto size = static_cast<nlg::u32>(word.size());
    word.append(nlg::kPadding, '\0');
    return size > 0 ? nlg::make_word(word.data(), size) : nlg::Word{0, 0, word.data(), 0};
  }
  std::vector<std::string> hyp_, ref_;
  std::vector<nlg::u32> hyp_ids_, ref_ids_;
  nlg::Interner interner_;
};

using Links = std::vector<std::pair<nlg::u32, nlg::u32>>;
