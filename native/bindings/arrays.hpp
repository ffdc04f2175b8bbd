// NumPy's arrays as binding files take and return them.
#pragma once

#include <nanobind/ndarray.h>

#include <algorithm>
#include <vector>

#include "bindings/bindings.hpp"

template <class T>
using Column = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <class T>
using Matrix = nb::ndarray<const T, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Starts = Column<std::int64_t>;

// A vector that NumPy owns from now on.
template <class T, class... Shape>
auto released(std::vector<T>&& values, Shape... shape) {
  auto* kept = new std::vector<T>(std::move(values));
  const nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  return nb::ndarray<nb::numpy, T, nb::ndim<sizeof...(shape)>>(kept->data(), {static_cast<std::size_t>(shape)...}, owner);
}

template <class T>
auto released(std::vector<T>&& values) {
  const std::size_t size = values.size();
  return released(std::move(values), size);
}

// Refuses starts that do not divide up `size` items.
inline void check_starts(const Starts& starts, std::size_t size) {
  const std::size_t count = starts.size();
  if (count == 0 || starts.data()[0] != 0 || starts.data()[count - 1] != static_cast<std::int64_t>(size) ||
      !std::is_sorted(starts.data(), starts.data() + count))
    throw nb::value_error("the columns do not fit each other");
}
