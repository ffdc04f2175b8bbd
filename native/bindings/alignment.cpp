#include "bindings.hpp"
void bind_alignment(nb::module_&) {}
