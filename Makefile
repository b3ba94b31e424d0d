# A tutorial in six chapters. `make help` lists the targets; V=1 shows the commands.
# Written for GNU make 3.81 and newer: no .ONESHELL, no !=, no grouped targets.

# ---- The syllabus: what each chapter introduces in common/ -----------------------------------------------------
# Chapter N links exactly the modules of chapters 1 to N. `make layers` holds every #include to this table.

modules_1 = require status options table rng plot program dropout sinusoidal
modules_2 = rotation
modules_3 = bf16 rope_table rope
modules_4 = tensor matmul activation hook ffn train adam
modules_5 = rmsnorm softmax kv_cache attention_blocked attention decoder_block
modules_6 = json mapped_file huge_pages safetensors safetensors_header safetensors_folder model_checks model_config generation_config \
            qwen2 qwen2_load \
            utf8 nfc hash byte_level vocabulary merges whole_characters token_ids bpe split_ascii splitter pretoken_cache added_tokens \
            json_scan tokenizer_settings tokenizer_tables tokenizer_file tokenizer text_stream jinja_string chat_template chat \
            sampler generate

headers_4 = matmul_kernels matmul_vector matmul_few matmul_batch matmul_elements matmul_transpose matmul_amx_pack

# The matrix product has one more file per instruction set, each compiled with its own flags (see .make/configure.sh).
kernels_4 = matmul_choice matmul_portable matmul_streamed matmul_blocked matmul_avx2 matmul_avx512 matmul_avx512bf16 matmul_amx \
            matmul_neon matmul_neonbf16

folder_1 = chapters/01-sinusoidal-pe
folder_2 = chapters/02-rotation-2d
folder_3 = chapters/03-rope-relative
folder_4 = chapters/04-ffn-swiglu
folder_5 = chapters/05-decoder-block
folder_6 = chapters/06-qwen2.5

LEVELS ?= 1 2 3 4 5 6
levels := $(LEVELS)
chapters := $(foreach n,$(levels),$(if $(wildcard $(folder_$(n))/main.c),$(n)))

# ---- Settings ----------------------------------------------------------------------------------------------------

BUILD ?= build
ifeq ($(origin CC),default)
CC := cc
endif
WERROR   ?=
CFLAGS   ?= -O2 -g
LDFLAGS  ?=
SANITIZE ?=

# With another BUILD the checkout may be read-only: the programs go there too.
ifeq ($(BUILD),build)
BIN := .
else
BIN := $(BUILD)
endif

ifeq ($(V),1)
Q :=
else
Q := @
endif
say = @printf '  %-6s %s\n'
comma := ,

# A file appears under its name when it is whole: a make that is killed leaves no half of an object behind, which the
# next would take for done, and two that run at once do not write into one file.
part = $@.$$$$
linked = $(BUILD)/$(@F).$$$$
whole = && mv -f $(1) $@ || { rm -f $(1); exit 1; }

.SUFFIXES:
.DELETE_ON_ERROR:
.DEFAULT_GOAL := all
export LC_ALL := C.UTF-8

# What this compiler and this machine offer, found once: OpenMP, kernel flags, the libraries of chapter 6.
# Not needed by targets that must work on a bare machine.
bare_goals := help deps deps-dev doctor clean map model
ifneq ($(filter-out $(bare_goals),$(if $(MAKECMDGOALS),$(MAKECMDGOALS),all)),)
-include $(BUILD)/config.mk
endif

base_flags = -std=c11 $(CFLAGS) -Wall -Wextra -Wpedantic -Wshadow -Wvla -Wstrict-prototypes -Wmissing-prototypes \
             $(WERROR) -ffp-contract=off -D_POSIX_C_SOURCE=200809L $(SANITIZE) $(OPENMP_CFLAGS) -iquote .
source_dir_flag = -DSOURCE_DIR='"$(CURDIR)"'

# ---- Objects -------------------------------------------------------------------------------------------------------

object = $(foreach m,$(1),$(if $(wildcard common/$(m).c),$(BUILD)/common/$(m).o))
own_1 := $(call object,$(modules_1))
own_2 := $(call object,$(modules_2))
own_3 := $(call object,$(modules_3))
own_4 := $(call object,$(modules_4) $(kernels_4))
own_5 := $(call object,$(modules_5))
own_6 := $(call object,$(modules_6))
upto_1 := $(own_1)
upto_2 := $(upto_1) $(own_2)
upto_3 := $(upto_2) $(own_3)
upto_4 := $(upto_3) $(own_4)
upto_5 := $(upto_4) $(own_5)
upto_6 := $(upto_5) $(own_6)

libs_1 := -lm
libs_2 := -lm
libs_3 := -lm
libs_4 = -lm $(OPENMP_LIBS)
libs_5 = -lm $(OPENMP_LIBS)
libs_6 = -lm $(OPENMP_LIBS) $(CHAPTER6_LIBS)

programs := $(foreach n,$(chapters),$(BIN)/chapter$(n))
chapter_sources = $(sort $(wildcard $(folder_$(1))/*.c))
chapter_objects = $(patsubst %.c,$(BUILD)/%.o,$(call chapter_sources,$(1)))

.PHONY: all
all: $(programs) ## build all six programs (the default)

define chapter_rules
$(BIN)/chapter$(1): $(call chapter_objects,$(1)) $(upto_$(1)) $(BUILD)/flags.stamp
	$(say) LINK chapter$(1)
	$(Q)$$(CC) $$(CFLAGS) $$(SANITIZE) $$(OPENMP_CFLAGS) $$(LDFLAGS) -o $$(linked) $$(filter %.o,$$^) $$(libs_$(1)) $$(call whole,$$(linked))
endef
$(foreach n,$(chapters),$(eval $(call chapter_rules,$(n))))

ifneq ($(BIN),.)
.PHONY: $(foreach n,$(chapters),chapter$(n))
$(foreach n,$(chapters),$(eval chapter$(n): $(BIN)/chapter$(n)))
endif

$(own_6) $(call chapter_objects,6): extra_cflags = $(CHAPTER6_CFLAGS)
$(own_6) $(call chapter_objects,6): | need_chapter6

.PHONY: need_chapter6 need_check
need_chapter6:
	$(Q)test -z "$(CHAPTER6_MISSING)" || { \
	    printf 'chapter 6 needs %s: install with "make deps" (chapters 1-5 build without)\n' "$(CHAPTER6_MISSING)" >&2; \
	    exit 1; }
need_check:
	$(Q)test -z "$(CHECK_MISSING)" || { \
	    printf 'the tests need %s: install with "make deps"\n' "$(CHECK_MISSING)" >&2; exit 1; }

# Every object depends on the compiler and its flags (a stamp that changes only when they do) and, through the .d files
# that -MMD writes, on every header it read.
$(BUILD)/%.o: %.c $(BUILD)/flags.stamp
	$(say) CC $<
	@mkdir -p "$(@D)"
	$(Q)$(CC) $(base_flags) $(extra_cflags) $(FLAGS_$(basename $(notdir $<))) -MMD -MP -MT $@ -MF $(part).dep -c -o $(part) $< \
	    && mv -f $(part).dep $(@:.o=.d) $(call whole,$(part))

$(BUILD)/common/plot.o: extra_cflags = $(source_dir_flag)
$(call object,$(kernels_4)): extra_cflags = $(KERNEL_CFLAGS)

FORCE:
.PHONY: FORCE
$(BUILD)/flags.stamp: FORCE
	@mkdir -p "$(BUILD)"
	@printf '%s\n' '$(subst ','\'',$(CC) $(base_flags) $(CHAPTER6_CFLAGS) $(LDFLAGS))' > $(part); \
	if cmp -s $(part) $@; then rm -f $(part); else mv -f $(part) $@; fi
$(BUILD)/compiler.stamp: FORCE
	@mkdir -p "$(BUILD)"
	@printf '%s\n' '$(subst ','\'',$(CC) $(CFLAGS) $(SANITIZE) $(LDFLAGS))' > $(part); \
	if cmp -s $(part) $@; then rm -f $(part); else mv -f $(part) $@; fi

# While something is missing, look again at every start: it may have been installed since. The file is touched only when
# it is done for good: a make that sees it newer reads everything again.
$(BUILD)/config.mk: .make/configure.sh $(BUILD)/compiler.stamp $(if $(CHAPTER6_MISSING)$(CHECK_MISSING),FORCE)
	@CC='$(CC)' CFLAGS='$(CFLAGS) $(SANITIZE)' LDFLAGS='$(LDFLAGS)' sh .make/configure.sh "$(BUILD)" > $(part) \
	    || { rm -f $(part); exit 1; }; \
	if ! cmp -s $(part) $@; then mv -f $(part) $@; else rm -f $(part); \
	    for file in $(filter-out FORCE,$^); do if [ $$file -nt $@ ]; then touch $@; fi; done; fi

-include $(shell find $(BUILD) -name '*.d' 2>/dev/null | tr '\n' ' ')

# ---- Tests ---------------------------------------------------------------------------------------------------------
# tests/test_<module>.c is linked with the objects of the module's chapter and before; tests/test_chapter<N>*.c run the
# program. Each is a program of its own, so a crash in one stops no other. test_goldens comes last: it sees what the
# others used.

tested_more_4 = matmul_amx
FLAGS_emulated = $(FLAGS_matmul_amx)
$(BUILD)/tests/test_matmul_amx: $(BUILD)/tests/amx/emulated.o
$(BUILD)/tests/test_matmul_amx: replaced = $(BUILD)/common/matmul_amx.o
tested_more_6 = bench fuzz_regressions random_text bad_input accepted $(if $(LINKER_WRAPS),faults) goldens

# TESTER=plain: tests/plain/check.h instead of Check, for machines that Check is not built for.
ifeq ($(TESTER),plain)
CHECK_CFLAGS = -Itests/plain
CHECK_LIBS =
CHECK_MISSING =
plain_objects = $(BUILD)/tests/plain/check.o
endif

support_objects = $(patsubst %.c,$(BUILD)/%.o,$(sort $(wildcard tests/support/*.c))) $(plain_objects)
tests_of = $(foreach m,$(1),$(if $(wildcard tests/test_$(m).c),test_$(m)))
tests_of_chapter = $(call tests_of,$(modules_$(1)) $(patsubst tests/test_%.c,%,$(sort $(wildcard tests/test_chapter$(1)*.c))) $(tested_more_$(1)))
test_names = $(filter-out $(patsubst %,test_%,$(LEFT_OUT)),$(foreach n,$(levels),$(call tests_of_chapter,$(n))))
test_programs = $(patsubst %,$(BUILD)/tests/%,$(test_names))

define test_rules
$(patsubst %,$(BUILD)/tests/%,$(call tests_of_chapter,$(1))): $(BUILD)/tests/%: $(BUILD)/tests/%.o $(support_objects) $(upto_$(1))
	$(say) LINK $$(notdir $$@)
	$(Q)$$(CC) $$(CFLAGS) $$(SANITIZE) $$(OPENMP_CFLAGS) $$(LDFLAGS) -o $$(linked) $$(filter-out $$(replaced),$$(filter %.o,$$^)) $$(CHECK_LIBS) $$(libs_$(1)) $$(call whole,$$(linked))
endef
$(foreach n,$(levels),$(eval $(call test_rules,$(n))))
$(patsubst %,$(BUILD)/tests/%.o,$(test_names)) $(support_objects): extra_cflags = $(CHECK_CFLAGS) $(CHAPTER6_CFLAGS)
$(patsubst %,$(BUILD)/tests/%.o,$(test_names)) $(support_objects): | need_check
.SECONDARY:

# Qwen2.5's own tokenizer.json is kept compressed; these tests read it.
tokenizer_json = $(BUILD)/qwen2.5-tokenizer/tokenizer.json
$(patsubst %,$(BUILD)/tests/test_%,whole_characters bpe splitter tokenizer_file tokenizer chat bench): | $(tokenizer_json)
$(tokenizer_json): tests/qwen2.5-tokenizer/tokenizer.json.gz
	$(say) UNPACK $<
	@mkdir -p "$(@D)"
	$(Q)gzip -dc $< > $(part) $(call whole,$(part))

# What is tested by a script: tests/<name>.sh.
script_tests = test_make test_second_reader test_submissions test_fuzz_archives test_full_disk test_model_download \
               test_yours test_surroundings test_claims test_readme test_measured test_bench_run test_bench_steps \
               test_mutants test_big_endian

# CHAPTER=3: that chapter's tests only, and only what they need is built.
ifneq ($(CHAPTER),)
ifeq ($(filter $(CHAPTER),$(chapters)),)
$(error there is no chapter $(CHAPTER): CHAPTER is one of $(chapters))
endif
tests_asked = $(filter-out test_goldens,$(call tests_of_chapter,$(CHAPTER)))
programs_asked = $(BIN)/chapter$(CHAPTER)
else
tests_asked = $(script_tests) $(test_names)
programs_asked = $(programs)
bench_asked = $(BUILD)/tests/bench/bench $(BUILD)/tests/bench/steps/steps
endif

.PHONY: test test-programs test-elsewhere
test-programs: $(programs_asked) $(patsubst %,$(BUILD)/tests/%,$(filter $(test_names),$(tests_asked)))
test-elsewhere: test-programs
	$(Q)BUILD="$(BUILD)" BIN="$(BIN)" sh tests/run.sh $(test_names)
test: test-programs $(bench_asked) $(BUILD)/exercises/judge $(BUILD)/tests/second-reader/list_tensors ## build and run all tests (CHAPTER=3: only that chapter's)
	$(Q)BUILD="$(BUILD)" BIN="$(BIN)" sh tests/run.sh $(tests_asked); \
	result=$$?; $(MAKE) --no-print-directory test-exercises && exit $$result

include tests/exercises/exercises.mk
include tests/exercises/yours.mk
include tests/fuzz/fuzz.mk

# Every call to these from the project's objects goes to tests/faults/fail.c first.
wrapped = malloc aligned_alloc calloc realloc free mmap munmap madvise open close fstat getline pcre2_compile_8 pcre2_match_data_create_8 \
          pcre2_match_context_create_8
$(BUILD)/tests/test_faults: CHECK_LIBS += $(patsubst %,-Wl$(comma)--wrap=%,$(wrapped))
$(BUILD)/tests/test_faults: $(BUILD)/tests/faults/fail.o $(filter-out %/main.o,$(call chapter_objects,6))
$(BUILD)/tests/faults/fail.o: extra_cflags = $(CHAPTER6_CFLAGS)

$(BUILD)/tests/second-reader/list_tensors: $(BUILD)/tests/second-reader/list_tensors.o $(upto_6)
	$(say) LINK $(@F)
	$(Q)$(CC) $(CFLAGS) $(SANITIZE) $(OPENMP_CFLAGS) $(LDFLAGS) -o $(linked) $(filter %.o,$^) $(libs_6) $(call whole,$(linked))

# What the program's own files compute.
$(BUILD)/tests/test_chapter6_precision: $(patsubst %,$(BUILD)/$(folder_6)/%.o,exact reader)

$(BUILD)/tests/test_bad_input $(BUILD)/tests/test_accepted: $(BUILD)/tests/bad-input/make_input.o
$(BUILD)/tests/bad-input/make_input.o: extra_cflags = $(CHECK_CFLAGS) $(CHAPTER6_CFLAGS)

# ---- Benchmark -----------------------------------------------------------------------------------------------------

bench_objects = $(patsubst %.c,$(BUILD)/%.o,$(sort $(wildcard tests/bench/*.c)))
$(bench_objects): extra_cflags = $(CHAPTER6_CFLAGS) $(OPENBLAS_CFLAGS)
FLAGS_roof_amx = $(FLAGS_matmul_amx)
$(BUILD)/tests/test_bench: $(filter-out %/main.o,$(bench_objects))
$(BUILD)/tests/test_bench: CHECK_LIBS += $(OPENBLAS_LIBS)
$(BUILD)/tests/bench/bench: $(bench_objects) $(upto_6)
	$(say) LINK bench
	$(Q)$(CC) $(CFLAGS) $(SANITIZE) $(OPENMP_CFLAGS) $(LDFLAGS) -o $(linked) $^ $(libs_6) $(OPENBLAS_LIBS) $(call whole,$(linked))

.PHONY: bench
bench_tsv = $(BUILD)/bench$(if $(ONLY),-only).tsv
bench: $(BUILD)/tests/bench/bench $(tokenizer_json) ## how near the model comes to its roofs (QUICK=1, ONLY=decode)
	$(Q)$< $(if $(QUICK),--quick) $(if $(ONLY),--only $(ONLY)) "$(bench_tsv)" "$(BUILD)/bench-model" "$(dir $(tokenizer_json))"
	$(Q)BUILD="$(BUILD)" sh tests/bench/shares.sh "$(bench_tsv)"
	$(if $(ONLY),,$(Q)BUILD="$(BUILD)" sh tests/bench/draw.sh)

# The ladder from the plain loop to the final kernel: a program of its own, with the bench's roofs.
steps_objects = $(patsubst %.c,$(BUILD)/%.o,$(sort $(wildcard tests/bench/steps/*.c)))
$(steps_objects): extra_cflags = $(CHAPTER6_CFLAGS)
$(BUILD)/tests/bench/steps/steps: $(steps_objects) $(filter-out %/main.o,$(bench_objects)) $(upto_6)
	$(say) LINK steps
	$(Q)$(CC) $(CFLAGS) $(SANITIZE) $(OPENMP_CFLAGS) $(LDFLAGS) -o $(linked) $^ $(libs_6) $(OPENBLAS_LIBS) $(call whole,$(linked))

.PHONY: bench-steps
bench-steps: $(BUILD)/tests/bench/steps/steps ## what each optimisation of the products is worth
	$(Q)$< "$(BUILD)/bench-steps.tsv"

.PHONY: bench-keep
bench-keep: $(BIN)/chapter6 ## put what both have measured into chapter 6's page and figure
	$(Q)BUILD="$(BUILD)" BIN="$(BIN)" sh tests/bench/keep.sh

# ---- Figures -------------------------------------------------------------------------------------------------------

.PHONY: plots
plots: $(programs) ## draw every figure into build/plots
	$(Q)BUILD="$(BUILD)" BIN="$(BIN)" sh plots/draw.sh

# ---- Checks ----------------------------------------------------------------------------------------------------------

address_sanitizer = -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer

# In the kernels, checks of every pointer make the model ten times slower; AddressSanitizer still sees what is read.
kernel_relief = -fno-sanitize=null,alignment,object-size,pointer-overflow
# clang's OpenMP runtime keeps threads, which its leak checker takes for leaks or trips over: gcc's run looks for leaks.
leaks = $(if $(findstring clang,$(CC)),ASAN_OPTIONS=detect_leaks=0)

.PHONY: asan tsan tsan-programs valgrind lint analyzer stack hardened coverage arm64 x86-32 musl
asan: ## all tests under the sanitizers (CC=clang too)
	$(Q)CK_TIMEOUT_MULTIPLIER=5 $(leaks) $(MAKE) BUILD="$(BUILD)/asan-$(notdir $(CC))" SANITIZE='$(address_sanitizer)' CFLAGS='-O2 -g' \
	    KERNEL_CFLAGS='$(kernel_relief)' test

# gcc's OpenMP runtime does not tell ThreadSanitizer what it orders: races would be reported that are none.
tsan_cc = $(if $(findstring clang,$(CC)),$(CC),clang)
tsan_tests = $(patsubst %,test_%,matmul attention attention_blocked decoder_block ffn train qwen2 generate chapter6)
tsan: ## what uses threads, under ThreadSanitizer (clang)
	$(Q)$(MAKE) BUILD="$(BUILD)/tsan" CC='$(tsan_cc)' SANITIZE=-fsanitize=thread CFLAGS='-O2 -g' tsan-programs
	$(Q)CC='$(tsan_cc)' BUILD="$(BUILD)/tsan" BIN="$(BUILD)/tsan" sh .make/tsan.sh $(tsan_tests)
tsan-programs: chapter4 chapter5 chapter6 $(patsubst %,$(BUILD)/tests/%,$(tsan_tests))

valgrind: test-programs ## all tests and programs under valgrind
	$(Q)BUILD="$(BUILD)" BIN="$(BIN)" sh .make/valgrind.sh $(test_names)

lint: ## clang-format, clang-tidy, cppcheck and shellcheck
	$(Q)BUILD="$(BUILD)" sh .make/lint.sh

analyzer: ## the static analyzers of gcc and clang
	$(Q)BUILD="$(BUILD)" sh .make/analyzer.sh

stack: ## check that no function takes more than 64 kB of stack (CC=clang too)
	$(Q)$(MAKE) BUILD="$(BUILD)/stack-$(notdir $(CC))" CFLAGS='-O2 -g -fstack-usage' all
	$(Q)BUILD="$(BUILD)/stack-$(notdir $(CC))" sh .make/stack.sh

# The flags that distributions build with.
hardened: ## all programs and tests with the compiler's hardening
	$(Q)$(MAKE) BUILD="$(BUILD)/hardened" CFLAGS='-O2 -g -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3 -fstack-protector-strong -fPIE' \
	    LDFLAGS='-pie -Wl,-z,relro,-z,now' WERROR=-Werror test-elsewhere
	$(Q)sh .make/hardened.sh $(foreach n,$(chapters),"$(BUILD)/hardened/chapter$(n)")

# What is right at one level of optimization only is wrong.
optimized = O0 O1 O2 O3
optimizations: $(foreach compiler,gcc clang,$(foreach level,$(optimized),$(compiler)-$(level))) ## all tests at -O0 to -O3, gcc and clang
.PHONY: optimizations $(foreach compiler,gcc clang,$(foreach level,$(optimized),$(compiler)-$(level)))
$(foreach compiler,gcc clang,$(foreach level,$(optimized),$(compiler)-$(level))):
	$(Q)CK_TIMEOUT_MULTIPLIER=$(if $(findstring O0,$@),5,1) $(MAKE) BUILD="$(BUILD)/$@" CC=$(firstword $(subst -, ,$@)) \
	    CFLAGS='-$(lastword $(subst -, ,$@)) -g' WERROR=-Werror $(if $(findstring O0,$@),KERNEL_CFLAGS=-O1) test-elsewhere

# All programs and tests for arm64, with the plain runner; qemu's processor has every extension, NEON with bfloat16 too.
# Left out unless ALL=1: tests that take minutes there, as they start the program hundreds of times or let the bundled model
# speak for long (and with them test_goldens, which asks what all have used). Always left out: test_faults, which in a
# static program makes the libraries' own calls fail too. LEVELS='1 2 3 4 5' needs no libraries.
arm64_libraries = $(BUILD)/arm64-libraries
arm64_left_out = generate chapter6 chapter6_ablation chapter6_mystery chapter6_chat bad_input accepted goldens
arm64: ## all programs and tests for arm64, under qemu (ALL=1: the slow ones too)
	$(Q)test -z '$(filter 6,$(levels))' || sh .make/arm64_libraries.sh "$(arm64_libraries)"
	$(Q)PKG_CONFIG_LIBDIR="$(arm64_libraries)/pkgconfig" QEMU_CPU=max RUN=qemu-aarch64 CK_TIMEOUT_MULTIPLIER=20 $(MAKE) TESTER=plain \
	    LEVELS='$(levels)' BUILD="$(BUILD)/arm64" CC=aarch64-linux-gnu-gcc LDFLAGS=-static \
	    LEFT_OUT='faults $(if $(ALL),,$(arm64_left_out))' test-elsewhere

# Chapters 1 to 5 and their tests for other machines, with the plain runner and no libraries.
elsewhere = TESTER=plain LEVELS='1 2 3 4 5' test-elsewhere

# The kernel's headers are the same for both; Debian's 32-bit compiler, installed beside a cross-compiler, misses them.
linux_headers = -idirafter /usr/include/x86_64-linux-gnu
x86-32: ## chapters 1-5 and their tests as 32-bit programs
	$(Q)$(MAKE) $(elsewhere) BUILD="$(BUILD)/x86-32" CC=gcc CFLAGS='-O2 -g -m32 -msse2 -mfpmath=sse $(linux_headers)'

musl: ## chapters 1-5 and their tests with musl, one thread
	$(Q)$(MAKE) $(elsewhere) BUILD="$(BUILD)/musl" CC=musl-gcc LDFLAGS=-static

coverage: ## run all tests, list the lines that none reached
	$(Q)CK_TIMEOUT_MULTIPLIER=5 $(MAKE) BUILD="$(BUILD)/coverage" CFLAGS='-O0 -g --coverage' \
	    KERNEL_CFLAGS=-O2 test; result=$$?; BUILD="$(BUILD)/coverage" sh .make/coverage.sh && exit $$result

# Built without -g: a change that gives the same object code is told by comparing the files.
mutants_build = BUILD="$(BUILD)/mutants" CFLAGS=-O2
.PHONY: mutants
mutants: ## change common/ 400 times: do the tests notice? (MODULE=bpe)
	$(Q)command -v python3 >/dev/null || { echo 'mutants: python3 is not installed' >&2; exit 1; }
	$(Q)BUILD="$(BUILD)" sh tests/test_mutants.sh
	$(Q)$(MAKE) $(mutants_build) test-programs
	$(Q)$(MAKE) -n V=1 $(mutants_build) -W "$(BUILD)/mutants/flags.stamp" test-programs >"$(BUILD)/mutants/commands"
	$(Q)python3 tests/mutants/mutants.py "$(BUILD)/mutants" "$(BUILD)/mutants/commands" tests/mutants/survivors.tsv \
	    "$(N)" "$(MODULE)" "$(SEED)"

# ---- The machine -------------------------------------------------------------------------------------------------------

.PHONY: deps deps-dev doctor model
deps: ## install what is missing, with the system's package manager
	$(Q)sh .make/deps.sh

deps-dev: ## the same, and what the checks need (clang, valgrind, …)
	$(Q)sh .make/deps.sh dev

doctor: ## say what is here, and how to install what is missing
	$(Q)CC='$(CC)' sh .make/doctor.sh

model: ## download Qwen2.5-0.5B-Instruct (1 GB) into models/
	$(Q)sh .make/model.sh

# ---- Structure and housekeeping ------------------------------------------------------------------------------------

.PHONY: map layers clean help
map: ## print the syllabus: which modules each chapter introduces
	@$(foreach n,$(levels),printf '%-28s %s\n' '$(folder_$(n))' '$(modules_$(n))';)

layers: $(programs) ## check that no file includes a header introduced later
	$(Q)BUILD="$(BUILD)" sh .make/layers.sh $(foreach n,$(levels),$(foreach m,$(modules_$(n)) $(kernels_$(n)) $(headers_$(n)),$(n):$(m)))

clean: ## remove everything that was built
	rm -rf "$(BUILD)" $(if $(filter .,$(BIN)),$(foreach n,$(chapters),chapter$(n) chapter$(n)-yours))

help: ## this list
	@awk -F ':.*## ' '/^[a-z0-9_-]+:.*## / { printf "  %-18s %s\n", $$1, $$2 }' Makefile tests/exercises/exercises.mk tests/exercises/yours.mk tests/fuzz/fuzz.mk
	@printf '  %-18s %s\n' 'chapter1 to 6' 'build one program: make chapter3 && ./chapter3'
	@printf '  %-18s %s\n' 'chapter1-yours' 'its checks with your functions: then ./chapter1-yours'
