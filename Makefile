# collide.h: everything that can be done with the repository. What users compile is collide.h alone.
#
#   make demo [MESH=file]   runs examples/mesh_tool on a mesh and writes pictures into build/demo
#   make test               the tests, in a float and a double build; needs a C compiler and make (FILTER=name, SEED=n)
#   make check              all lanes: compilers, modes, sanitizers, foreign machines, hygiene, format (14 to 35 minutes on two cores, by the machine)
#   make coverage           lines and branches that the tests reach, and whether the others have a reason (needs gcc, Python 3)
#   make mcdc               conditions that the tests have shown to act by themselves (needs clang 19, llvm 19, Python 3)
#   make numerical          where rounding decides, by the numerical sanitizer: a report (needs clang 19, llvm 19, Python 3)
#   make proof [SIZE=1]     the table of what was asked of which routine, by what it was judged, and how many answers were wrong
#   make soak [EACH=10]     all of it at length: each case with other seeds for so many seconds, all lanes in full; hours
#   make bench              timings, beside the peers that are installed
#   make examples           compiles all examples into build/examples
#   make header             makes collide.h again after a change in tools/src (needs Python 3)
#   make format             formats all sources (needs clang-format)
#   make install            header, pkg-config and CMake files under PREFIX (and DESTDIR)

CC      ?= cc
CFLAGS  ?= -O2
BUILD   ?= build
PREFIX  ?= /usr/local
SEED    ?= 1
SIZE    ?= 0.1
FILTER  ?=
EACH    ?=
MESH    ?=
JOBS    ?= $(shell getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1)
LDLIBS  ?= -lm

SUITES   := $(sort $(patsubst tests/test_%.c,%,$(wildcard tests/test_*.c)))
SUPPORT  := main harness collide oracle gen cases hulls sweeps convex_truth any_truth any_judge any_things
UNITS    := $(SUPPORT) $(SUITES:%=test_%)
EXAMPLES := $(sort $(patsubst examples/%.c,%,$(wildcard examples/*.c)))
HEADERS  := collide.h $(wildcard tests/*.h)
REALS    := float double

all: examples

# ---- tests ----

# The examples are little optimised: what they print does not depend on it, and most of their time is compiling. (COLLIDE_STATIC:
# what an example does not use need not be compiled.)
test:
	@$(MAKE) --no-print-directory -j$(JOBS) test-programs
	@{ echo $(REALS) | xargs -n 1 -P $(JOBS) tests/run.sh $(BUILD) -s $(SEED) -x $(SIZE) $(EACH:%=-e %) $(FILTER); \
	echo "== examples"; JOBS=$(JOBS) tests/examples/run.sh $(BUILD) "$(CC)" "-O1 -DCOLLIDE_STATIC" || echo failed; } 2>&1 | awk -f tests/total.awk

test-programs: $(REALS:%=$(BUILD)/%/tests)

$(REALS:%=$(BUILD)/%/tests): $(BUILD)/%/tests:
	$(CC) $(CFLAGS) -o $@ $^ $(LDLIBS)

# The implementation alone may be compiled by another compiler, or as C++, or with other flags.
IMPLEMENTATION_CC     ?= $(CC)
IMPLEMENTATION_CFLAGS ?= $(CFLAGS)
COMPILER = $(CC)
FLAGS    = $(CFLAGS)
# So may the suites: most of their work is done by the library, and by what is compiled with CFLAGS. They are not optimised, which
# takes a third of the time.
SUITE_CFLAGS ?= $(CFLAGS) -O0
$(foreach suite,$(SUITES),$(REALS:%=$(BUILD)/%/test_$(suite).o)): FLAGS = $(SUITE_CFLAGS)
$(REALS:%=$(BUILD)/%/collide.o): COMPILER = $(IMPLEMENTATION_CC)
$(REALS:%=$(BUILD)/%/collide.o): FLAGS = $(IMPLEMENTATION_CFLAGS)

# Without the look at indentation, which costs gcc seconds in a file as long as collide.h; tests/hygiene/standards.sh has it.
WARNINGS := -Wall -Wextra -Wno-misleading-indentation

# The generators and the hash may not depend on how the compiler fuses: only the library is tried for that.
PARTS   := $(patsubst tests/%.c,%,$(shell grep -l '"parts.h"' tests/test_*.c))
NO_FUSE := gen main test_hash $(PARTS)

define objects
$(BUILD)/$(1)/tests: $(UNITS:%=$(BUILD)/$(1)/%.o)
$(BUILD)/$(1)/%.o: tests/%.c $(HEADERS) $(BUILD)/suites.inc $(BUILD)/modules.inc
	@mkdir -p $(BUILD)/$(1)
	$$(COMPILER) $$(FLAGS) $$(FUSE) $(2) $(WARNINGS) -I. -Itests -I$(BUILD) -Itools/src -c -o $$@ $$<
endef
$(foreach unit,$(NO_FUSE),$(REALS:%=$(BUILD)/%/$(unit).o)): FUSE := -ffp-contract=off
$(eval $(call objects,float,))
$(eval $(call objects,double,-DCOLLIDE_DOUBLE))

$(BUILD)/suites.inc: $(SUITES:%=tests/test_%.c)
	@mkdir -p $(BUILD)
	@for suite in $(SUITES); do echo "SUITE($$suite)"; done > $@

# The headers of all modules, and the link names of a double build, for tests/parts.h.
$(BUILD)/modules.inc: collide.h tools/modules.txt
	@mkdir -p $(BUILD)
	@{ echo '#ifdef COLLIDE_DOUBLE'; sed -n '/^#define \(cd_[a-z0-9_]*\) \1_f64$$/p' collide.h; echo '#endif'; \
	awk '/^[a-z]/ { print "#include \"" $$1 ".h\"" }' tools/modules.txt; } > $@

check:
	tests/check.sh

coverage:
	@$(MAKE) --no-print-directory -j$(JOBS) test-programs BUILD=$(BUILD)/coverage CC=gcc CFLAGS=-O0 \
	IMPLEMENTATION_CFLAGS='-O0 --coverage' LDLIBS='-lm --coverage'
	@echo $(REALS) | xargs -n 1 -P $(JOBS) tests/run.sh $(BUILD)/coverage -s $(SEED) -x $(SIZE) | grep failed
	@python3 tests/coverage.py $(REALS:%=$(BUILD)/coverage/%)

# Its list of conditions not shown: tests/mcdc.py --verbose build/mcdc/float build/mcdc/double.
mcdc:
	@$(MAKE) --no-print-directory -j$(JOBS) test-programs BUILD=$(BUILD)/mcdc CC=clang-19 CFLAGS=-O1 SUITE_CFLAGS='-O0 -w' \
	IMPLEMENTATION_CFLAGS='-O0 -w -fcoverage-mapping -fcoverage-mcdc -fprofile-instr-generate=$$(@D)/library.profraw' \
	LDLIBS='-lm -fprofile-instr-generate'
	@echo $(REALS) | xargs -n 1 -P $(JOBS) tests/run.sh $(BUILD)/mcdc -s $(SEED) -x $(SIZE) | grep failed
	@python3 tests/mcdc.py $(REALS:%=$(BUILD)/mcdc/%)

# Every place, or only some suites: tests/numerical.py --places build/numerical/float/tests SUITE...
numerical:
	@$(MAKE) --no-print-directory -j$(JOBS) test-programs REALS=float BUILD=$(BUILD)/numerical CC=clang-19 \
	CFLAGS='-O0 -g1 -w -fsanitize=numerical -mllvm -nsan-shadow-type-mapping=dlq -DCOLLIDE_NO_SIMD'
	@python3 tests/numerical.py $(BUILD)/numerical/float/tests

# Of the suites that ask with ASK.
proof:
	@$(MAKE) --no-print-directory -j$(JOBS) test-programs
	@echo $(REALS) | xargs -n 1 -P $(JOBS) tests/run.sh $(BUILD) -s $(SEED) -x $(SIZE) -p $(or $(FILTER),$(ASKING)) | \
	LC_ALL=C awk -f tests/proof.awk collide.h -

ASKING = $(patsubst tests/test_%.c,%/,$(shell grep -l -w -e ASK -e test_asked tests/test_*.c)) any_matrix/ any_hard/

SOAK ?= 10

# Each case in full, and again with the next seeds until it has run for EACH seconds: what is quick is drawn most. What fails can be run
# again by itself, with its seed. Then all lanes with SOAK times as much, longer fuzzing, and mutants of all modules.
soak:
	@failed=; for part in "test SIZE=1 EACH=$(or $(EACH),10)" "test SIZE=100 FILTER=big_fits/" coverage mcdc numerical; do \
	echo "== $$part" && $(MAKE) --no-print-directory $$part || failed=yes; done; \
	SOAK=$(SOAK) ANALYSIS=all tests/check.sh && [ ! "$$failed" ]

# ---- examples ----

examples: $(EXAMPLES:%=$(BUILD)/examples/%)

$(BUILD)/examples/%: examples/%.c collide.h
	@mkdir -p $(BUILD)/examples
	$(CC) $(CFLAGS) -o $@ $< -I. $(LDLIBS)

demo: $(BUILD)/examples/mesh_tool
	@mkdir -p $(BUILD)/demo
	$< --demo $(BUILD)/demo $(MESH)

# ---- bench ----

bench:
	@bench/run.sh $(BUILD)/bench

# ---- the header ----

header:
	python3 tools/amalgamate.py

format:
	clang-format -i tools/src/*/*.[ch] tests/*.[ch] tests/*/*.[ch] examples/*.c bench/*.[ch]*

install:
	tools/install.sh "$(DESTDIR)" "$(PREFIX)"

clean:
	rm -rf $(BUILD)

.PHONY: all test test-programs check coverage mcdc numerical proof soak examples demo bench header format install clean
