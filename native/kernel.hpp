// A kernel turns a segment into one row of sufficient statistics; `compute_rows` runs kernels over
// a batch. Rows depend on nothing but their segment, so threads and blocks never change them.
#pragma once

#include <atomic>
#include <exception>
#include <mutex>
#include <thread>

#include "segment.hpp"

namespace nlg {

// One thread's buffers and the computation itself.
struct Worker {
  virtual ~Worker() = default;
  virtual void row(const Segment& segment, double* out) = 0;
};

struct Kernel {
  virtual ~Kernel() = default;
  virtual std::size_t columns() const = 0;
  virtual bool needs_words() const { return true; }
  virtual bool needs_spelling() const { return true; }  // looks into words; if not, reading is faster
  virtual std::unique_ptr<Worker> worker() const = 0;
};

// body(first, last) over chunks of [0, size), each chunk on some thread; make_body() once a thread.
template <class MakeBody>
void parallel(std::size_t size, unsigned threads, MakeBody&& make_body, std::size_t chunk = 128) {
  threads = static_cast<unsigned>(std::min<std::size_t>(threads, (size + chunk - 1) / chunk));
  std::atomic<std::size_t> next{0};
  std::exception_ptr failure;
  std::mutex failure_lock;
  const auto run = [&] {
    try {
      auto body = make_body();
      for (std::size_t first; (first = next.fetch_add(chunk)) < size;)
        body(first, std::min(size, first + chunk));
    } catch (...) {
      const std::lock_guard lock(failure_lock);
      failure = std::current_exception();
      next = size;
    }
  };
  std::vector<std::thread> others;
  for (unsigned t = 1; t < threads; ++t) others.emplace_back(run);
  run();
  for (auto& thread : others) thread.join();
  if (failure) std::rethrow_exception(failure);
}

// outputs[k] has room for size * kernels[k]->columns() numbers.
inline void compute_rows(const Batch& batch, const Preparation& preparation, const std::vector<const Kernel*>& kernels,
                         const std::vector<double*>& outputs, unsigned threads) {
  bool words = false, spelling = false;
  for (const Kernel* kernel : kernels) words |= kernel->needs_words(), spelling |= kernel->needs_spelling();
  parallel(batch.hyps.size(), threads, [&] {
    std::vector<std::unique_ptr<Worker>> workers;
    for (const Kernel* kernel : kernels) workers.push_back(kernel->worker());
    return [&, workers = std::move(workers), reader = SegmentReader(batch, preparation, words, spelling)](
               std::size_t first, std::size_t last) mutable {
      for (std::size_t i = first; i < last; ++i) {
        const Segment& segment = reader.read(i);
        for (std::size_t k = 0; k < workers.size(); ++k)
          workers[k]->row(segment, outputs[k] + i * kernels[k]->columns());
      }
    };
  });
}

}  // namespace nlg
