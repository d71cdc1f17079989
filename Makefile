# nicelab: GNU make, gcc or clang, Linux.
#   make          build/nicelab            make run    install what is missing, build, open the dashboard
#   make check    every test               make bench  figures and ratios, side by side
VERSION := 0.1.0
PREFIX  ?= /usr/local
bindir  ?= $(PREFIX)/bin
man1dir ?= $(PREFIX)/share/man/man1
man7dir ?= $(PREFIX)/share/man/man7

CFLAGS   ?= -O2 -g
CPPFLAGS += -D_GNU_SOURCE -DNICELAB_VERSION='"$(VERSION)"' -Iinclude -Itests/lib
WARN     := -std=c11 -Wall -Wextra -Wpedantic -Wshadow -Wstrict-prototypes -Wmissing-prototypes \
            -Wpointer-arith -Wcast-qual -Wwrite-strings -Wformat=2 -Wundef -Wvla -fno-common
NCURSES  := $(shell pkg-config --libs ncursesw 2>/dev/null || echo -lncursesw -ltinfo)
JANSSON  := $(shell pkg-config --libs jansson 2>/dev/null || echo -ljansson)
LDLIBS   += $(NCURSES) $(JANSSON) -pthread -lm
Q        := $(if $(V),,@)

# SAN=address,undefined, SAN=thread or FUZZ=1 builds beside the plain build, never over it.
comma := ,
SAN   ?=
OBJ   := build/$(if $(FUZZ),fuzz,$(if $(SAN),san-$(firstword $(subst $(comma), ,$(SAN))),plain))$(if $(VARIANT),-$(VARIANT))
ifneq ($(SAN),)
CFLAGS  += -fsanitize=$(SAN) -fno-omit-frame-pointer $(if $(findstring undefined,$(SAN)),-fno-sanitize-recover=all)
LDFLAGS += -fsanitize=$(SAN)
endif
ifdef FUZZ
CC      := clang
CFLAGS  += -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all
LDFLAGS += -fsanitize=address,undefined
endif
ifdef WERROR
WARN += -Werror
endif

SRC   := $(wildcard src/*/*.c)
LIB   := $(filter-out src/cmd/main.c,$(SRC))
LIBO  := $(LIB:%.c=$(OBJ)/%.o)
UNIT  := $(wildcard tests/unit/*.c)
UNITB := $(UNIT:%.c=$(OBJ)/%)
THREADB := $(addprefix $(OBJ)/tests/unit/test_,ring knobs lab judge labdisk)
GOLDENB := $(OBJ)/tests/golden/golden
REALB := $(patsubst %.c,$(OBJ)/%,$(wildcard tests/real/*.c))
FUZZB := $(patsubst %.c,$(OBJ)/%,$(wildcard tests/fuzz/*.c))
BENCHB := $(OBJ)/tests/bench/bench
TESTLIB := $(patsubst %.c,$(OBJ)/%.o,$(wildcard tests/lib/*.c))

all: build/nicelab
build/nicelab: $(OBJ)/nicelab
	@ln -sfn $(<:build/%=%) $@
$(OBJ)/nicelab: $(OBJ)/src/cmd/main.o $(LIBO)
	@$(if $(Q),echo "  LINK  $@")
	$(Q)$(CC) $(LDFLAGS) -o $@ $^ $(LDLIBS)
$(OBJ)/tests/fuzz/%: $(OBJ)/tests/fuzz/%.o $(LIBO)
	$(Q)$(CC) $(LDFLAGS) -fsanitize=fuzzer -o $@ $^ $(LDLIBS)
$(BENCHB): $(OBJ)/tests/bench/live.o $(OBJ)/tests/bench/disk.o
$(OBJ)/tests/%: $(OBJ)/tests/%.o $(TESTLIB) $(LIBO)
	$(Q)$(CC) $(LDFLAGS) -o $@ $^ -lcmocka $(LDLIBS)
$(OBJ)/%.o: %.c Makefile
	@mkdir -p $(@D)
	@$(if $(Q),echo "  CC    $<")
	$(Q)$(CC) $(CPPFLAGS) $(WARN) $(CFLAGS) -MMD -MP -c -o $@ $<
-include $(shell find $(OBJ) -name '*.d' 2>/dev/null)

binaries: $(OBJ)/nicelab $(UNITB) $(GOLDENB) $(REALB) $(BENCHB)

# One shell line, so that what packages installs is seen by the build that follows.
run:
	@sh .ci/packages build
	@$(MAKE) --no-print-directory all
	@exec build/nicelab

packages-test:
	@sh .ci/packages build test
check: packages-test
	@$(MAKE) --no-print-directory check-installed
check-installed: all check-unit check-golden check-tree check-man check-real check-e2e
	@echo "all tests passed"
check-unit: $(UNITB)
	@for t in $^; do $$t || exit 1; done
# The workers are forked from a process with threads there, which the sanitizer must be told to allow.
check-thread: $(THREADB)
	@for t in $^; do TSAN_OPTIONS="die_after_fork=0 halt_on_error=1 $$TSAN_OPTIONS" $$t || exit 1; done
check-golden: $(GOLDENB)
	@$(GOLDENB) tests/golden
check-tree:
	@bash tests/check/floors.bash
check-real: all $(REALB)
	@for t in $(REALB); do $$t || exit 1; done
check-e2e: all
	@NICELAB=$(CURDIR)/$(OBJ)/nicelab bats tests/e2e

# The man pages are kept in the tree; their generated sections come from the same tables as the program's.
PAGES := man/nicelab.1 man/nicelab-verdicts.7
man: $(OBJ)/man/generate
	$(Q)for p in $(PAGES); do $< $$p.in > $$p || exit 1; done
check-man: $(OBJ)/man/generate
	@for p in $(PAGES); do $< $$p.in | cmp - $$p || { echo "$$p is stale: run make man"; exit 1; }; done
$(OBJ)/man/generate: $(OBJ)/man/generate.o $(LIBO)
	$(Q)$(CC) $(LDFLAGS) -o $@ $^ $(LDLIBS)

golden: $(GOLDENB)
	@GOLDEN_UPDATE=1 $(GOLDENB) tests/golden
fuzz: $(FUZZB)
	@bash tests/fuzz/run.bash $(OBJ)
bench: all $(BENCHB)
	@$(BENCHB)
screenshots: all
	@sh .ci/packages build test screenshots
	@NICELAB=$(CURDIR)/$(OBJ)/nicelab bash tests/shots/shots.bash screenshots
format:
	$(Q)clang-format -i $(shell git ls-files '*.c' '*.h')
check-format:
	@clang-format --dry-run -Werror $(shell git ls-files '*.c' '*.h')
check-cppcheck:
	@cppcheck --quiet --std=c11 --enable=warning,performance,portability --inline-suppr --error-exitcode=1 \
		--suppress=missingInclude --suppress=missingIncludeSystem -D_GNU_SOURCE -DNICELAB_VERSION='"0"' -Iinclude src

install: all
	install -Dm755 $(OBJ)/nicelab $(DESTDIR)$(bindir)/nicelab
	install -Dm644 man/nicelab.1 $(DESTDIR)$(man1dir)/nicelab.1
	install -Dm644 man/nicelab-verdicts.7 $(DESTDIR)$(man7dir)/nicelab-verdicts.7
uninstall:
	rm -f $(DESTDIR)$(bindir)/nicelab $(DESTDIR)$(man1dir)/nicelab.1 $(DESTDIR)$(man7dir)/nicelab-verdicts.7
clean:
	rm -rf build
.PHONY: all binaries run check check-installed packages-test check-unit check-thread check-golden check-tree check-real check-e2e man \
	check-man golden fuzz bench screenshots format check-format check-cppcheck install uninstall clean
.SECONDARY:
