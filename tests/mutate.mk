# What tests/mutate.py needs, for one number type: make -f tests/mutate.mk REAL=float OUT=build/mutate/float
#
#   libcollide.so   the library, module by module; a mutant of one module is loaded before it
#   tests           all suites, with tests/mutate.c
#   all.h.gch       the headers of all modules, read by the compiler beforehand: for mutants
#   cover           the same with the library in it, compiled so that it tells what code is run

REAL    ?= float
OUT     ?= build/mutate/$(REAL)
CC      ?= gcc
SUITES  := $(sort $(patsubst tests/test_%.c,%,$(wildcard tests/test_*.c)))
SUPPORT := main harness oracle gen cases hulls sweeps convex_truth any_truth any_judge any_things mutate
MODULES := $(patsubst tools/src/%.c,%,$(wildcard tools/src/*/*.c))
WRAPPED := begin end check check_int check_near check_ulps check_same check_vec

COMPILE := $(CC) -w -std=gnu11 -ffp-contract=off -Werror=implicit-function-declaration
ifeq ($(REAL),double)
COMPILE += -DCOLLIDE_DOUBLE
endif
MODULE  := $(COMPILE) -include $(OUT)/names.h -Itools/src
UNITS   := $(SUPPORT) $(SUITES:%=test_%)
LINK    := $(CC) -no-pie $(foreach name,$(WRAPPED),-Wl,--wrap=test_$(name))

all: $(OUT)/tests $(OUT)/cover $(OUT)/all.h.gch

$(OUT)/tests: $(UNITS:%=$(OUT)/t/%.o) $(OUT)/libcollide.so
	@$(LINK) -o $@ $(UNITS:%=$(OUT)/t/%.o) -L$(OUT) -lcollide -Wl,-rpath,'$$ORIGIN' -Wl,--export-dynamic-symbol=test_counted -lm

$(OUT)/cover: $(UNITS:%=$(OUT)/t/%.o) $(MODULES:%=$(OUT)/c/%.o)
	@$(LINK) -o $@ $^ -lm -Wl,-Map,$@.map

$(OUT)/libcollide.so: $(MODULES:%=$(OUT)/m/%.o)
	@$(CC) -shared -o $@ $^

$(OUT)/m/%.o: tools/src/%.c $(OUT)/names.h
	@mkdir -p $(@D)
	@$(MODULE) -O1 -fPIC -MMD -MP -c -o $@ $<

$(OUT)/c/%.o: tools/src/%.c $(OUT)/names.h
	@mkdir -p $(@D)
	@$(MODULE) -O0 -g1 -fno-pie -fsanitize-coverage=trace-pc -MMD -MP -c -o $@ $<

$(OUT)/t/%.o: tests/%.c $(OUT)/names.h $(OUT)/modules.inc
	@mkdir -p $(@D)
	@$(COMPILE) -O1 -fno-pie -I. -Itests -I$(OUT) -Itools/src -MMD -MP -c -o $@ $<

$(OUT)/t/main.o: $(OUT)/suites.inc

# The work counted in the library; the link names of a double build.
$(OUT)/names.h: tests/test.h collide.h
	@mkdir -p $(OUT)
	@{ echo '#include <stdint.h>'; echo '#ifndef TEST_H'; awk '/typedef struct test_counts/,/extern test_counts/' tests/test.h; \
	echo '#endif'; echo '#define CDI_COUNT(what) ((void)++test_counted.what)'; echo '#include <stdlib.h>'; \
	echo '#define COLLIDE_MALLOC(size) (++test_counted.memory, malloc(size))'; echo '#define COLLIDE_FREE(p) free(p)'; \
	test $(REAL) = float || sed -n '/^#define \(cd_[a-z0-9_]*\) \1_f64$$/p' collide.h; } >$@.new
	@cmp -s $@.new $@ || cp $@.new $@

$(OUT)/all.h: $(OUT)/names.h $(OUT)/modules.inc $(wildcard tools/src/*/*.h)
	@cat $(OUT)/names.h $(OUT)/modules.inc >$@

$(OUT)/all.h.gch: $(OUT)/all.h
	@$(COMPILE) -Itools/src -O0 -fPIC -x c-header -o $@ $<

$(OUT)/modules.inc: tools/modules.txt collide.h
	@mkdir -p $(OUT)
	@{ echo '#ifdef COLLIDE_DOUBLE'; sed -n '/^#define \(cd_[a-z0-9_]*\) \1_f64$$/p' collide.h; echo '#endif'; \
	awk '/^[a-z]/ { print "#include \"" $$1 ".h\"" }' tools/modules.txt; } >$@.new
	@cmp -s $@.new $@ || cp $@.new $@

# Included twice by tests/main.c: for the declarations, and for the calls, which are left out where no case is wanted.
$(OUT)/suites.inc: tests/mutate.mk $(SUITES:%=tests/test_%.c)
	@mkdir -p $(OUT)
	@{ echo '#ifndef SUITES_SEEN'; echo '#define SUITES_SEEN'; echo 'bool mutate_suite(const char *name);'; \
	for suite in $(SUITES); do echo "SUITE($$suite)"; done; echo '#else'; \
	for suite in $(SUITES); do echo "if (mutate_suite(\"$$suite\")) { SUITE($$suite) }"; done; echo '#endif'; } >$@.new
	@cmp -s $@.new $@ || cp $@.new $@

-include $(shell find $(OUT) -name '*.d' 2>/dev/null)
