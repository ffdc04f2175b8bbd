// Several kernels as one: their columns side by side.
#pragma once

#include "core/kernel.hpp"

namespace nlg {

class JoinedKernel final : public Kernel {
 public:
  explicit JoinedKernel(std::vector<const Kernel*> kernels) : kernels_(std::move(kernels)) {}
  std::size_t columns() const override {
    std::size_t sum = 0;
    for (const Kernel* kernel : kernels_) sum += kernel->columns();
    return sum;
  }
  bool needs_words() const override {
    return std::any_of(kernels_.begin(), kernels_.end(), [](const Kernel* k) { return k->needs_words(); });
  }
  std::unique_ptr<Worker> worker() const override { return std::make_unique<JoinedWorker>(kernels_); }

 private:
  class JoinedWorker final : public Worker {
   public:
    explicit JoinedWorker(const std::vector<const Kernel*>& kernels) {
      for (const Kernel* kernel : kernels) parts_.push_back({kernel->worker(), kernel->columns()});
    }
    void row(const Segment& segment, double* out) override {
      for (const auto& part : parts_) {
        part.worker->row(segment, out);
        out += part.columns;
      }
    }

   private:
    struct Part {
      std::unique_ptr<Worker> worker;
      std::size_t columns;
    };
    std::vector<Part> parts_;
  };

  std::vector<const Kernel*> kernels_;
};

}  // namespace nlg
